//! Shows what the analysis reads in a command: `cargo run -p doorward-shell --example explain -- 'rm -rf build'`.
#![allow(missing_docs)]

fn main() {
    let command = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let options = doorward_shell::Options {
        home: Some("/home/user".to_owned()),
        cwd: Some("/workspace".to_owned()),
        ..doorward_shell::Options::default()
    };
    let intent = doorward_shell::analyze(&command, &options);
    print!("{}", doorward_shell::explain(&command, &doorward_shell::labels(&intent), true));
    for command in &intent.commands {
        println!(
            "{:?} via {:?} code {:?} origin {:?}",
            command.words, command.via, command.code, command.origin
        );
    }
}
