//! What calls of each language do. Generated from knowledge/languages by `cargo run -p doorward-knowledge`;
//! edit those files.

use super::rules::Act::{self, *};
use super::rules::Language;
use super::tokens::{Backquote, Lexis};

/// cmake-commands(7) 3.28.
const CMAKE: &[(&str, Act)] = &[
    ("execute_process exec_program add_custom_command add_custom_target", CommandWords),
];

/// The standard library of Go 1.22.
const GO: &[(&str, Act)] = &[
    ("exec.Command exec.CommandContext syscall.Exec syscall.ForkExec os.StartProcess", Words),
    ("os.Remove syscall.Unlink syscall.Rmdir unix.Unlink", Delete),
    ("os.RemoveAll", DeleteTree),
    ("\
        os.WriteFile ioutil.WriteFile os.Create os.Mkdir os.MkdirAll os.Truncate os.CreateTemp", Write),
    ("os.OpenFile", Open),
    ("os.ReadFile ioutil.ReadFile os.Open embed.FS.ReadFile", Read),
    ("os.Rename", Move),
    ("os.Symlink os.CopyFS", Copy),
    ("os.Link", HardLink),
    ("os.Chmod os.Chown os.Lchown os.Chtimes", Meta),
    ("http.Get http.Head", Fetch),
    ("http.Post http.PostForm http.NewRequest http.NewRequestWithContext smtp.SendMail", Send),
    ("net.Dial net.DialTimeout net.DialTCP net.DialUDP tls.Dial ssh.Dial", Connect),
    ("http.ListenAndServe http.ListenAndServeTLS net.Listen", Listen),
    ("os.Getenv os.LookupEnv os.Environ", Env),
    ("plugin.Open syscall.Mmap syscall.Syscall", Load),
    ("syscall.Kill", Kill),
    ("net.LookupHost net.LookupIP net.LookupTXT net.ResolveIPAddr", Send),
];

/// The reference of Node.js, Deno and Bun, and of the packages that are named 20.
const JAVASCRIPT: &[(&str, Act)] = &[
    ("\
        child_process.exec child_process.execSync exec execSync Bun.spawnSync Deno.Command Deno.run \
        shelljs.exec execa.command execaCommand .doShellScript doShellScript", Shell),
    ("\
        child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync \
        child_process.fork spawn spawnSync execFile execFileSync Bun.spawn execa execaSync", Words),
    ("\
        fs.unlink fs.unlinkSync fs.promises.unlink fs.rmdir fs.rmdirSync unlink unlinkSync rmdirSync \
        Deno.remove Deno.removeSync del trash", Delete),
    ("\
        fs.rm fs.rmSync fs.promises.rm rmSync rimraf rimraf.sync fs.removeSync fs.remove fse.removeSync", DeleteTree),
    ("\
        fs.writeFile fs.writeFileSync fs.promises.writeFile writeFile writeFileSync fs.appendFile \
        fs.appendFileSync appendFileSync fs.createWriteStream createWriteStream fs.mkdirSync fs.mkdir \
        fs.truncateSync fs.truncate truncateSync Deno.writeTextFile Deno.writeFile Deno.writeTextFileSync \
        Bun.write fs.outputFileSync", Write),
    ("\
        fs.readFile fs.readFileSync fs.promises.readFile readFile readFileSync fs.createReadStream \
        createReadStream Deno.readTextFile Deno.readFile Deno.readTextFileSync Bun.file fs.readlinkSync", Read),
    ("fs.open fs.openSync", Open),
    ("fs.rename fs.renameSync renameSync fs.promises.rename fs.moveSync", Move),
    ("\
        fs.copyFile fs.copyFileSync copyFileSync fs.cpSync fs.cp cpSync fs.symlinkSync fs.symlink", Copy),
    ("fs.linkSync fs.link Deno.link Deno.linkSync", HardLink),
    ("\
        fs.chmod fs.chmodSync chmodSync fs.promises.chmod fs.fchmod fs.fchmodSync fs.lchmod fs.lchmodSync \
        fs.chownSync fs.chown fs.promises.chown fs.utimesSync Deno.chmod Deno.chmodSync Deno.chown \
        Deno.chownSync", Meta),
    ("\
        fetch http.get https.get axios.get axios got needle.get superagent.get request.get node-fetch", Fetch),
    ("\
        http.request https.request axios.post axios.put axios.patch axios.delete got.post superagent.post \
        request.post WebSocket XMLHttpRequest navigator.sendBeacon request", Send),
    ("net.connect net.createConnection tls.connect dgram.createSocket .createConnection", Connect),
    (".listen http.createServer net.createServer", Listen),
    ("process.env Deno.env.toObject Deno.env.get Bun.env", Env),
    ("\
        eval Function vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script setTimeout \
        setInterval setImmediate Worker worker_threads.Worker ._compile", Eval),
    ("process.dlopen process.binding WebAssembly.instantiate", Load),
    ("process.kill process.abort", Kill),
    ("\
        rimraf.rimraf rimraf.rimrafSync rimraf.native del.deleteAsync del.deleteSync fs-extra.remove \
        fs-extra.removeSync fs-extra.emptyDir fs-extra.emptyDirSync", DeleteTree),
    ("execa.execa execa.execaSync execa.execaCommand", Words),
    ("\
        .dropDatabase .dropSchema .dropCollection .dropAllSchemas .flushall .flushdb .flushAll .flushDb \
        .deleteMany .sync sequelize.Sequelize.drop", Drop),
    ("\
        dns.lookup dns.resolve dns.resolve4 dns.resolve6 dns.resolveTxt dns.resolveAny dns.reverse \
        dns.promises.lookup dns.promises.resolve dns.promises.resolve4 dns.promises.resolveTxt", Send),
];

/// The Julia manual and standard library 1.10.
const JULIA: &[(&str, Act)] = &[
    ("run pipe", Shell),
    ("rm", DeleteTree),
    ("write mkdir mkpath touch", Write),
    ("open", Open),
    ("readlines read readdir", Read),
    ("include", File),
    ("mv", Move),
    ("cp symlink", Copy),
    ("chmod", Meta),
    ("download Downloads.download", Download),
    ("HTTP.get HTTP.request", Fetch),
    ("HTTP.post", Send),
    ("connect", Connect),
    ("eval Meta.parse include_string", Eval),
    ("ccall", Load),
];

/// The references of Emacs Lisp, Scheme, Common Lisp, Clojure and Hy Emacs 29.
const LISP: &[(&str, Act)] = &[
    ("run-program sb-ext:run-program ext:run-program ccl:run-program", Words),
    ("\
        shell-command shell-command-to-string async-shell-command call-process-shell-command \
        eshell-command system run-shell-command shell-command-on-region uiop:run-program ext:shell \
        ext:run-shell-command si:system sys-system exec sh shell os.system", Shell),
    ("call-process start-process make-process process-lines system* clojure.java.shell/sh", Words),
    ("delete-file os.remove os.unlink", Delete),
    ("\
        delete-directory delete-directory/files delete-directory-tree delete-tree shutil.rmtree", DeleteTree),
    ("write-file spit make-directory with-output-to-file call-with-output-file", Write),
    ("insert-file-contents find-file slurp with-input-from-file call-with-input-file", Read),
    ("rename-file", Move),
    ("copy-file make-symbolic-link", Copy),
    ("set-file-modes", Meta),
    ("url-retrieve url-retrieve-synchronously url-insert-file-contents", Fetch),
    ("url-copy-file", Download),
    ("open-network-stream make-network-process", Connect),
    ("getenv", Env),
    ("eval eval-expression primitive-eval read-from-string", Eval),
    ("kill-emacs-process signal-process", Kill),
    ("write-region append-to-file", WriteThird),
    ("load load-file", File),
];

/// The Lua reference manual, LuaSocket, LuaFileSystem and the API of Neovim 5.4.
const LUA: &[(&str, Act)] = &[
    ("\
        os.execute io.popen vim.fn.system vim.fn.systemlist vim.fn.jobstart vim.fn.termopen vim.cmd", Shell),
    ("vim.system", Words),
    ("os.remove lfs.rmdir vim.uv.fs_unlink vim.loop.fs_unlink vim.uv.fs_rmdir", Delete),
    ("vim.fn.delete vim.fs.rm", DeleteTree),
    ("vim.fn.readfile", Read),
    ("io.open io.output", Open),
    ("io.lines io.input", Read),
    ("os.rename", Move),
    ("load loadstring redis.call_unused", Eval),
    ("package.loadlib", Load),
    ("os.getenv", Env),
    ("http.request socket.http.request socket.connect socket.tcp", Send),
    ("os.tmpname", Write),
    ("dofile loadfile", File),
];

/// mongosh methods 2.
const MONGO: &[(&str, Act)] = &[
    ("\
        .dropDatabase .drop .dropCollection .deleteMany .deleteOne .remove .dropIndexes .dropUser \
        .dropAllUsersFromDatabase .findOneAndDelete .shutdownServer", Drop),
    ("cat fs.readFileSync", Read),
    ("run runProgram", Words),
    (".updateMany", Drop),
    ("load", File),
];

/// The standard libraries of a dozen languages: the names that stand out several.
const OTHER: &[(&str, Act)] = &[
    ("\
        system exec popen shell os.execute os.system shell_exec spawn execSync os:cmd :os.cmd System.shell \
        callCommand Sys.command Unix.system .execute Runtime.getRuntime.exec .exec execShellCmd \
        executeShell", Shell),
    ("\
        System.cmd exec.Command exec.CommandContext Command.new process.Command.new run_command \
        Process.run callProcess readProcess ProcessBuilder Process.runSync Process.Start", Words),
    ("\
        unlink remove deleteFile removeFile os.Remove fs.remove_file remove_file delete_file Sys.remove \
        File.rm File.delete .delete file:delete os.remove Files.delete Files.deleteIfExists .deleteSync \
        std.file.remove", Delete),
    ("\
        rmtree removeDirectoryRecursive removePathForcibly os.RemoveAll fs.remove_dir_all remove_dir_all \
        .removeItem Directory.Delete os.remove.all os.rmdir_all delete_directory_and_contents File.rm_rf! \
        File.rm_rf .deleteRecursively .deleteDir rm_rf rmdir file:del_dir_r file:del_dir \
        FileUtils.deleteDirectory removeDir rmdirRecurse", DeleteTree),
    ("writeFile File.write file:write_file open_out fopen open", Open),
    ("readFile File.read file:read_file", Read),
    ("urlopen HttpClient fetch http.get http.Get reqwest.get blocking.get ureq.get", Fetch),
    ("http.Post net.Dial TcpStream.connect gen_tcp:connect TcpClient", Send),
    ("httpc:request .openStream", Fetch),
    ("WriteFile os.WriteFile os.Create File.create fs.write", Write),
    ("eval load", Eval),
    ("getenv System.getenv System.get_env", Env),
];

/// perlfunc, and the modules that are named 5.38.
const PERL: &[(&str, Act)] = &[
    ("system exec readpipe IPC.Open3.open3 open3 open2 capture IPC.System.Simple.capture", Shell),
    ("unlink rmdir POSIX.unlink POSIX.remove POSIX.rmdir", Delete),
    ("rmtree remove_tree File.Path.rmtree File.Path.remove_tree", DeleteTree),
    ("open sysopen IO.File.new", Open),
    ("mkdir truncate write_file File.Slurp.write_file", Write),
    ("read_file slurp File.Slurp.read_file", Read),
    ("rename move File.Copy.move mv", Move),
    ("copy symlink File.Copy.copy cp", Copy),
    ("link", HardLink),
    ("chmod chown utime", Meta),
    ("LWP.Simple.get getprint LWP.UserAgent.get HTTP.Tiny.get", Fetch),
    ("\
        getstore mirror LWP.Simple.getstore LWP.Simple.mirror LWP.UserAgent.mirror HTTP.Tiny.mirror", Download),
    ("\
        HTTP.Tiny.post HTTP.Tiny.post_form HTTP.Tiny.put HTTP.Tiny.request LWP.UserAgent.post \
        LWP.UserAgent.put LWP.UserAgent.request Net.FTP.new Net.SMTP.new IO.Socket.INET.new \
        IO.Socket.SSL.new connect sockaddr_in", Send),
    ("eval evalbytes", Eval),
    ("kill", Kill),
    ("syscall", Load),
    ("require dofile", File),
    ("gethostbyname Net.DNS.Resolver.query", Send),
];

/// The PHP manual 8.3.
const PHP: &[(&str, Act)] = &[
    ("\
        Symfony.Component.Process.Process Symfony.Component.Process.Process.fromShellCommandline Process \
        Process.fromShellCommandline", Shell),
    ("Symfony.Component.Filesystem.Filesystem.remove Filesystem.remove", DeleteTree),
    ("\
        Symfony.Component.Filesystem.Filesystem.dumpFile \
        Symfony.Component.Filesystem.Filesystem.appendToFile Symfony.Component.Filesystem.Filesystem.mkdir \
        Symfony.Component.Filesystem.Filesystem.touch", Write),
    ("Symfony.Component.Filesystem.Filesystem.rename", Move),
    ("\
        Symfony.Component.Filesystem.Filesystem.copy Symfony.Component.Filesystem.Filesystem.mirror \
        Symfony.Component.Filesystem.Filesystem.symlink", Copy),
    ("GuzzleHttp.Client.get GuzzleHttp.Client.head", Fetch),
    ("\
        GuzzleHttp.Client.post GuzzleHttp.Client.put GuzzleHttp.Client.patch GuzzleHttp.Client.delete \
        GuzzleHttp.Client.request SoapClient", Send),
    ("system exec shell_exec passthru popen proc_open expect_popen", Shell),
    ("pcntl_exec", Words),
    ("unlink rmdir", Delete),
    ("file_put_contents mkdir touch", Write),
    ("imagepng imagejpeg imagegif imagewebp", WriteSecond),
    ("stream_socket_server socket_bind socket_create_listen", Listen),
    ("fopen SplFileObject gzopen", Open),
    ("\
        file_get_contents file readfile show_source highlight_file parse_ini_file fpassthru \
        simplexml_load_file readgzfile gzfile php_strip_whitespace yaml_parse_file hash_file md5_file \
        sha1_file", Read),
    ("rename move_uploaded_file", Move),
    ("copy symlink", Copy),
    ("link", HardLink),
    ("chmod chown chgrp lchown lchgrp", Meta),
    ("curl_init get_headers", Fetch),
    ("\
        fsockopen pfsockopen stream_socket_client socket_connect mail mb_send_mail ftp_connect \
        ftp_ssl_connect ssh2_connect", Send),
    ("getenv phpinfo get_defined_vars", Env),
    ("\
        eval assert create_function preg_replace_e call_user_func call_user_func_array array_map_exec \
        unserialize", Eval),
    ("posix_kill", Kill),
    ("dl FFI.cdef", Load),
    ("include include_once require require_once", File),
    ("gethostbyname dns_get_record checkdnsrr", Send),
];

/// The Python Library Reference, and the packages that are named 3.12.
const PYTHON: &[(&str, Act)] = &[
    ("\
        os.system posix.system nt.system posix.popen os.popen os.popen2 os.popen3 os.popen4 os.startfile \
        subprocess.getoutput subprocess.getstatusoutput commands.getoutput commands.getstatusoutput \
        popen2.popen2 platform.popen asyncio.create_subprocess_shell", Shell),
    ("\
        subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen \
        pty.spawn sh.Command plumbum.local os.posix_spawn_shell fabric.run invoke.run pexpect.spawn \
        pexpect.run", Shell),
    ("\
        os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.spawnl \
        os.spawnle os.spawnlp os.spawnv os.spawnve os.spawnvp os.posix_spawn os.posix_spawnp posix.execv \
        posix.execve posix.posix_spawn _posixsubprocess.fork_exec asyncio.create_subprocess_exec", Words),
    ("\
        os.remove os.unlink os.rmdir os.removedirs pathlib.Path.unlink send2trash.send2trash", Delete),
    ("shutil.rmtree .rmtree", DeleteTree),
    (".unlink .rmdir", DeleteSelf),
    ("\
        open io.open codecs.open os.open gzip.open bz2.open lzma.open zipfile.ZipFile tarfile.open \
        aiofiles.open sqlite3.connect os.fdopen", Open),
    (".write_text .write_bytes .touch .mkdir", WriteSelf),
    (".read_text .read_bytes", ReadSelf),
    ("\
        fileinput.input fileinput.FileInput linecache.getlines linecache.getline io.FileIO \
        dotenv.dotenv_values pandas.read_csv pandas.read_table numpy.loadtxt numpy.fromfile \
        configparser.read", Read),
    ("\
        os.truncate os.mkdir os.makedirs os.mkfifo os.mknod numpy.save .to_csv .to_json .to_excel \
        .to_parquet .to_pickle .savefig .extractall", Write),
    ("shutil.move os.rename os.renames os.replace", Move),
    ("\
        shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.copyfileobj os.symlink", Copy),
    ("os.link", HardLink),
    ("\
        os.chmod os.fchmod os.lchmod os.chown os.fchown os.lchown os.utime os.setxattr shutil.chown", Meta),
    ("\
        urllib.request.urlopen urllib.urlopen urllib2.urlopen urllib.request.Request requests.get \
        requests.head requests.options httpx.get httpx.head httpx.stream aiohttp.request urllib3.request \
        pandas.read_html webbrowser.open feedparser.parse .urlopen wget.download", Fetch),
    ("urllib.request.urlretrieve urllib.urlretrieve", Download),
    ("\
        requests.post requests.put requests.patch requests.delete requests.request httpx.post httpx.put \
        httpx.patch httpx.delete httpx.request paramiko.SSHClient.connect ftplib.FTP smtplib.SMTP \
        smtplib.SMTP_SSL telnetlib.Telnet http.client.HTTPConnection http.client.HTTPSConnection \
        httplib.HTTPConnection websocket.create_connection websockets.connect xmlrpc.client.ServerProxy \
        .storbinary", Send),
    (".connect .connect_ex socket.create_connection .sendto", Connect),
    (".bind http.server.HTTPServer socketserver.TCPServer http.server.test", Listen),
    ("\
        os.getenv os.environ.get os.environb.get os.environ os.environ.copy os.environ.items \
        dotenv.load_dotenv", Env),
    ("\
        exec eval compile runpy.run_module code.interact timeit.timeit timeit.repeat \
        code.InteractiveInterpreter ast.literal_exec cProfile.run cProfile.runctx profile.run \
        profile.runctx pdb.run pdb.runeval bdb.Bdb.run .runsource .runcode .runctx", Eval),
    ("\
        ctypes.CDLL ctypes.cdll.LoadLibrary ctypes.PyDLL marshal.loads pickle.load pickle.loads dill.loads \
        cloudpickle.loads yaml.unsafe_load types.FunctionType types.CodeType \
        importlib.util.spec_from_file_location .exec_module imp.load_source", Load),
    ("os.kill os.killpg os.abort psutil.Process.kill os.fork", Kill),
    (".chmod .lchmod", MetaSelf),
    ("execfile runpy.run_path", File),
    ("\
        .drop_all .drop_database .drop_collection .drop_table .flushall .flushdb .delete_many \
        .delete_namespace .delete_collection_namespaced_pod .delete_head boto3.resource.delete", Drop),
    ("socket.gethostbyname socket.getaddrinfo dns.resolver.resolve dns.resolver.query", Send),
    ("socketserver.ThreadingTCPServer http.server.ThreadingHTTPServer", Listen),
];

/// The R reference manual, and the packages that are named 4.3.
const R: &[(&str, Act)] = &[
    ("system system2 shell shell.exec pipe processx.run sys.exec_wait", Shell),
    ("unlink file.remove fs.file_delete fs.dir_delete", DeleteTree),
    ("file.create dir.create sink save", Write),
    ("\
        write write.csv write.csv2 write.table writeLines saveRDS readr.write_csv data.table.fwrite", WriteSecond),
    ("open", Open),
    ("readLines read.csv read.table readRDS scan readr.read_csv data.table.fread", Read),
    ("source sys.source", File),
    ("file.rename", Move),
    ("file.copy file.symlink", Copy),
    ("Sys.chmod", Meta),
    ("download.file curl.curl_download", Download),
    ("url httr.GET", Fetch),
    ("httr.POST httr.PUT", Send),
    ("socketConnection", Connect),
    ("Sys.getenv", Env),
    ("eval parse", Eval),
    ("dyn.load", Load),
];

/// The Ruby core and standard library, and the gems that are named 3.3.
const RUBY: &[(&str, Act)] = &[
    ("\
        system exec spawn Kernel.system Kernel.exec Kernel.spawn IO.popen Open3.capture2 Open3.capture2e \
        Open3.capture3 Open3.popen3 Open3.popen2 Open3.popen2e Process.spawn Process.exec PTY.spawn \
        PTY.getpty Open3.pipeline Open3.pipeline_r Open3.pipeline_w Open3.pipeline_rw Open3.pipeline_start \
        sh Rake.sh Mixlib.ShellOut.new TTY.Command.new.run", Shell),
    ("\
        File.delete File.unlink FileUtils.rm FileUtils.rm_f Dir.rmdir Dir.delete Dir.unlink \
        Pathname.delete FileUtils.remove FileUtils.rmdir FileUtils.remove_file FileUtils.safe_unlink", Delete),
    ("\
        FileUtils.rm_r FileUtils.rm_rf FileUtils.remove_dir FileUtils.remove_entry \
        FileUtils.remove_entry_secure FileUtils.rmtree rm_rf rm_r", DeleteTree),
    ("\
        File.write IO.write File.binwrite FileUtils.touch FileUtils.mkdir_p FileUtils.mkdir Dir.mkdir \
        File.truncate IO.binwrite File.mkfifo FileUtils.mkpath FileUtils.makedirs PStore.new \
        YAML.Store.new", Write),
    ("\
        File.open File.new open Kernel.open URI.open CSV.open IO.sysopen Zip.File.open \
        Zlib.GzipReader.open", Open),
    ("\
        File.read IO.read File.readlines IO.readlines File.foreach File.binread IO.binread IO.foreach \
        YAML.load_file YAML.safe_load_file YAML.unsafe_load_file Psych.load_file JSON.load_file CSV.read \
        CSV.foreach CSV.table", Read),
    ("File.rename FileUtils.mv FileUtils.move", Move),
    ("\
        FileUtils.cp FileUtils.cp_r FileUtils.copy File.symlink FileUtils.ln_s IO.copy_stream \
        FileUtils.ln_sf FileUtils.ln_sr FileUtils.symlink FileUtils.install FileUtils.copy_file \
        FileUtils.copy_entry FileUtils.cp_lr", Copy),
    ("File.link FileUtils.ln FileUtils.link FileUtils.link_entry", HardLink),
    ("\
        File.chmod FileUtils.chmod FileUtils.chmod_R FileUtils.chown File.chown FileUtils.chown_R \
        File.lchmod File.lchown File.utime", Meta),
    ("\
        Net.HTTP.get Net.HTTP.get_response Net.HTTP.get_print HTTParty.get Faraday.get RestClient.get \
        URI.parse.open Excon.get HTTP.get HTTPX.get Typhoeus.get OpenURI.open_uri", Fetch),
    ("\
        Net.HTTP.post Net.HTTP.post_form Net.HTTP.start Net.HTTP.new HTTParty.post RestClient.post \
        Faraday.post Net.FTP.open Net.FTP.new Net.SSH.start Net.SMTP.start Net.SMTP.new Net.SCP.upload! \
        Net.SFTP.start Net.HTTP.put HTTParty.put RestClient.put RestClient.patch Faraday.put Excon.post \
        Excon.put HTTP.post HTTPX.post Typhoeus.post", Send),
    ("TCPSocket.new TCPSocket.open UDPSocket.new Socket.tcp TCPSocket.gethostbyname", Connect),
    ("TCPServer.new TCPServer.open WEBrick.HTTPServer.new", Listen),
    ("ENV ENV.to_h ENV.fetch ENV.each", Env),
    (".rmtree", DeleteSelf),
    ("eval ERB.new instance_eval class_eval module_eval binding.eval Kernel.eval", Eval),
    ("\
        Marshal.load Marshal.restore Fiddle.dlopen Fiddle.Handle.new YAML.unsafe_load Psych.unsafe_load \
        RubyVM.InstructionSequence.load_from_binary", Load),
    ("RubyVM.InstructionSequence.compile", Eval),
    ("Process.kill", Kill),
    (".drop_table .drop_database .flushall .flushdb", Drop),
    ("Resolv.getaddress Resolv.getaddresses Socket.getaddrinfo Addrinfo.getaddrinfo", Send),
];

/// The Tcl manual pages, and Expect's 8.6.
const TCL: &[(&str, Act)] = &[
    ("exec", Words),
    ("spawn system", Words),
    ("open", Open),
    ("eval uplevel", Eval),
    ("socket", Connect),
    ("load", Load),
    ("source", File),
];

/// builtin-functions of Vim and Neovim 9.1.
const VIM: &[(&str, Act)] = &[
    ("system systemlist job_start jobstart termopen term_start libcall vim.fn.system", Shell),
    ("delete vim.fn.delete", DeleteTree),
    ("readfile readblob", Read),
    ("writefile mkdir", WriteSecond),
    ("rename", Move),
    ("filecopy", Copy),
    ("setfperm", Meta),
    ("execute feedkeys luaeval py3eval pyeval perleval rubyeval eval", Eval),
    ("getenv environ", Env),
];

/// Every language; the one named `other` stands for those that have no table.
pub(super) static LANGUAGES: &[Language] = &[
    Language {
        names: "cmake",
        well_read: "",
        rules: CMAKE,
        bare: true,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: true,
            slashes: false,
            dashes: false,
            backquote: Backquote::Mark,
            interpolates: false,
            sigils: false,
            triple: false,
            quotes_like: false,
        },
    },
    Language {
        names: "go",
        well_read: "go",
        rules: GO,
        bare: false,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: false,
            slashes: true,
            dashes: false,
            backquote: Backquote::Mark,
            interpolates: false,
            sigils: false,
            triple: false,
            quotes_like: false,
        },
    },
    Language {
        names: "javascript typescript node osascript zx jsc qjs d8 rhino",
        well_read: "javascript typescript node",
        rules: JAVASCRIPT,
        bare: false,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: false,
            slashes: true,
            dashes: false,
            backquote: Backquote::Template,
            interpolates: false,
            sigils: false,
            triple: false,
            quotes_like: false,
        },
    },
    Language {
        names: "julia",
        well_read: "",
        rules: JULIA,
        bare: false,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: true,
            slashes: false,
            dashes: false,
            backquote: Backquote::Command,
            interpolates: false,
            sigils: false,
            triple: true,
            quotes_like: false,
        },
    },
    Language {
        names: "elisp guile scheme racket sbcl clisp ecl csi clojure clj bb janet hy",
        well_read: "",
        rules: LISP,
        bare: false,
        lisp: true,
        unlisted: false,
        lexis: Lexis {
            hash: false,
            slashes: false,
            dashes: false,
            backquote: Backquote::Mark,
            interpolates: false,
            sigils: false,
            triple: false,
            quotes_like: false,
        },
    },
    Language {
        names: "lua luajit",
        well_read: "lua luajit",
        rules: LUA,
        bare: true,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: false,
            slashes: false,
            dashes: true,
            backquote: Backquote::Mark,
            interpolates: false,
            sigils: false,
            triple: false,
            quotes_like: false,
        },
    },
    Language {
        names: "mongo",
        well_read: "mongo",
        rules: MONGO,
        bare: false,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: false,
            slashes: true,
            dashes: false,
            backquote: Backquote::Template,
            interpolates: false,
            sigils: false,
            triple: false,
            quotes_like: false,
        },
    },
    Language {
        names: "other",
        well_read: "",
        rules: OTHER,
        bare: true,
        lisp: false,
        unlisted: true,
        lexis: Lexis {
            hash: true,
            slashes: false,
            dashes: false,
            backquote: Backquote::Mark,
            interpolates: false,
            sigils: false,
            triple: false,
            quotes_like: false,
        },
    },
    Language {
        names: "rust native c groovy scala java kotlin swift",
        well_read: "",
        rules: OTHER,
        bare: true,
        lisp: false,
        unlisted: true,
        lexis: Lexis {
            hash: false,
            slashes: true,
            dashes: false,
            backquote: Backquote::Mark,
            interpolates: false,
            sigils: false,
            triple: false,
            quotes_like: false,
        },
    },
    Language {
        names: "perl raku perl6",
        well_read: "perl",
        rules: PERL,
        bare: true,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: true,
            slashes: false,
            dashes: false,
            backquote: Backquote::Command,
            interpolates: true,
            sigils: true,
            triple: false,
            quotes_like: true,
        },
    },
    Language {
        names: "php hhvm",
        well_read: "php",
        rules: PHP,
        bare: false,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: true,
            slashes: true,
            dashes: false,
            backquote: Backquote::Command,
            interpolates: true,
            sigils: true,
            triple: false,
            quotes_like: false,
        },
    },
    Language {
        names: "python python3 ipython xonsh sage",
        well_read: "python python3 ipython",
        rules: PYTHON,
        bare: false,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: true,
            slashes: false,
            dashes: false,
            backquote: Backquote::Mark,
            interpolates: false,
            sigils: false,
            triple: true,
            quotes_like: false,
        },
    },
    Language {
        names: "r R",
        well_read: "",
        rules: R,
        bare: false,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: true,
            slashes: false,
            dashes: false,
            backquote: Backquote::Command,
            interpolates: false,
            sigils: false,
            triple: true,
            quotes_like: false,
        },
    },
    Language {
        names: "ruby crystal",
        well_read: "ruby",
        rules: RUBY,
        bare: true,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: true,
            slashes: false,
            dashes: false,
            backquote: Backquote::Command,
            interpolates: true,
            sigils: false,
            triple: false,
            quotes_like: true,
        },
    },
    Language {
        names: "tcl expect",
        well_read: "",
        rules: TCL,
        bare: true,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: true,
            slashes: false,
            dashes: false,
            backquote: Backquote::Mark,
            interpolates: false,
            sigils: false,
            triple: false,
            quotes_like: false,
        },
    },
    Language {
        names: "vimscript",
        well_read: "",
        rules: VIM,
        bare: false,
        lisp: false,
        unlisted: false,
        lexis: Lexis {
            hash: false,
            slashes: false,
            dashes: false,
            backquote: Backquote::Mark,
            interpolates: false,
            sigils: false,
            triple: false,
            quotes_like: false,
        },
    },
];
