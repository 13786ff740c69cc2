//! A real model on the wire: small, local, useless as a judge, and shown only the end of the prompt, so its verdict
//! isn't checked. The test checks that its grammar-constrained tokens form a reply of the contract, that a deadline
//! ends it, and that its crash counts as unavailable.
//!
//! Needs `node-llama-cpp` and a small GGUF file below `DOORWARD_TOOLS` (docs/guardian.md); otherwise the test reports
//! that it was skipped.

use std::io::BufRead as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use doorward_core::evaluation::{Guardian as _, GuardianContext, GuardianDecision, GuardianStatus};
use doorward_guardian::testing::inspected;
use doorward_guardian::{Model, ModelConfig, ModelGuardian, Prefix, ReviewConfig};

/// Serves chat completions from a GGUF file, with the schema as grammar. The grammar includes length limits, because
/// a model of this size would not stop.
const SERVER: &str = r#"
import http from "node:http";
const [library, file] = process.argv.slice(2);
const { getLlama, LlamaChatSession } = await import(library);
const llama = await getLlama({ gpu: false, build: "never", maxThreads: 1, logLevel: "error" });
const model = await llama.loadModel({ modelPath: file });
async function answer(asked, signal) {
  const given = asked.response_format.json_schema.schema;
  const { type, additionalProperties, properties } = given;
  // The three members the contract can't do without: every token takes a third of a second.
  const risks = { ...properties.risks, maxItems: 1 };
  const reasoning = { ...properties.reasoning, minLength: 3, maxLength: 20 };
  const kept = { risk_score: { enum: [0, 20, 40, 60, 80, 100] }, risks, reasoning };
  const schema = { type, additionalProperties, required: Object.keys(kept), properties: kept };
  const grammar = await llama.createGrammarForJsonSchema(schema);
  const context = await model.createContext({ contextSize: 1024, threads: 1 });
  try {
    // A few words are enough for the plumbing; reading the whole prompt takes minutes here.
    const [system, ...turns] = asked.messages.map((message) => message.content);
    const systemPrompt = system.slice(0, 120);
    const session = new LlamaChatSession({ contextSequence: context.getSequence(), systemPrompt });
    return await session.prompt(turns.join("\n").slice(-200), { grammar, maxTokens: 120, temperature: 0, signal });
  } finally {
    await context.dispose();
  }
}
const server = http.createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const gone = new AbortController();
  response.on("close", () => {
    if (!response.writableEnded) console.log("closed");
    gone.abort();
  });
  console.log("asked");
  try {
    const asked = JSON.parse(body);
    const text = await answer(asked, gone.signal);
    const usage = { prompt_tokens: model.tokenize(body).length, completion_tokens: model.tokenize(text).length };
    const message = { role: "assistant", content: text, refusal: null };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ finish_reason: "stop", message }], usage }));
  } catch (error) {
    response.statusCode = 500;
    response.end(JSON.stringify({ error: { message: String(error) } }));
  }
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
"#;

struct Local {
    child: Child,
    base: String,
    told: Receiver<String>,
    _folder: tempfile::TempDir,
}

impl Local {
    fn start() -> Option<Self> {
        let tools = std::env::var_os("DOORWARD_TOOLS").map(PathBuf::from).unwrap_or_default();
        let library = tools.join("node_modules/node-llama-cpp/dist/index.js");
        let models = std::fs::read_dir(tools.join("models")).into_iter().flatten().flatten();
        let model =
            models.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|end| end == "gguf"));
        let (true, Some(model)) = (library.is_file(), model) else {
            doorward_needs::lacking!(
                "no node-llama-cpp and no models/*.gguf below DOORWARD_TOOLS (docs/guardian.md)"
            );
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("serve.mjs");
        std::fs::write(&script, SERVER).unwrap();
        let child = Command::new("node").arg(&script).arg(library).arg(model).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = child else {
            doorward_needs::lacking!("no node");
            return None;
        };
        let (tell, told) = channel();
        let lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        std::thread::spawn(move || lines.for_each(|line| drop(tell.send(line))));
        let port: u16 = told.recv_timeout(Duration::from_secs(300)).expect("it loads").parse().unwrap();
        Some(Self { child, base: format!("http://127.0.0.1:{port}"), told, _folder: folder })
    }

    fn hears(&self, word: &str) {
        let until = Duration::from_secs(300);
        while self.told.recv_timeout(until).expect("it says what it sees") != word {}
    }

    fn guardian(&self, timeout: Duration) -> ModelGuardian {
        let model = Model::new(ModelConfig {
            model: "openai-compatible/small".into(),
            base_url: Some(self.base.clone()),
            ..ModelConfig::default()
        });
        let config = ReviewConfig { timeout, remember: Duration::ZERO, ..ReviewConfig::default() };
        ModelGuardian::new(Arc::new(model.unwrap()), Prefix::new("", ""), config)
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_real_models_tokens_become_a_verdict_and_its_end_an_outage() {
    let Some(mut local) = Local::start() else { return };
    let context = GuardianContext {
        tool_name: "shell:execute".into(),
        content: r#"{"command":"ls"}"#.into(),
        cwd: "/w".into(),
        can_prompt_user: true,
        ..GuardianContext::default()
    };
    let call = inspected("shell:execute", r#"{"command":"ls"}"#);

    let evaluation = local.guardian(Duration::from_secs(1)).evaluate(&context, &call).await;
    assert_eq!(evaluation.status, GuardianStatus::TimedOut, "{evaluation:?}");
    assert_eq!(evaluation.decision, GuardianDecision::Deny);
    local.hears("closed");

    // One attempt takes at most a minute; a busy machine may need a second one.
    let mut evaluation = local.guardian(Duration::from_secs(130)).evaluate(&context, &call).await;
    for _ in 0..2 {
        if evaluation.status == GuardianStatus::Evaluated {
            break;
        }
        eprintln!("once more: {evaluation:?}");
        evaluation = local.guardian(Duration::from_secs(130)).evaluate(&context, &call).await;
    }
    if matches!(evaluation.status, GuardianStatus::TimedOut | GuardianStatus::Unavailable) {
        doorward_needs::lacking!("this machine is too slow for a model just now");
        return;
    }
    assert_eq!(evaluation.status, GuardianStatus::Evaluated, "{evaluation:?}");
    let spent = evaluation.spent;
    assert!(spent.input_total > 0 && spent.output_total > 0 && !spent.estimated, "{spent:?}");
    eprintln!("{spent:?}");

    local.child.kill().unwrap();
    local.child.wait().unwrap();
    let evaluation = local.guardian(Duration::from_secs(60)).evaluate(&context, &call).await;
    assert_eq!(evaluation.status, GuardianStatus::Unavailable, "{evaluation:?}");
}
