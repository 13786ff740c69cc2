//! Model providers and the services around them.

use doorward_core::Severity::{Critical, High, Medium};

use super::{Rule, row};
use crate::checksum::Check;

const OPENAI: &[&str] = &["api.openai.com"];
const HUGGING_FACE: &[&str] =
    &["huggingface.co", "api-inference.huggingface.co", "router.huggingface.co", "cdn-lfs.huggingface.co"];

pub(super) const ROWS: &[Rule] = &[
    row("openai-key", Critical, "OpenAI key", "platform.openai.com, API keys", &["sk- W{48,300}"], OPENAI)
        .checked(Check::OpenAi),
    row(
        "anthropic-key",
        Critical,
        "Anthropic key",
        "Anthropic console, API keys",
        &["sk-ant-(api03|admin01)- W{93} AA"],
        &["api.anthropic.com"],
    ),
    row(
        "anthropic-key",
        High,
        "Anthropic key",
        "Anthropic console, API keys",
        &["sk-ant- W{20,300}"],
        &["api.anthropic.com"],
    ),
    row(
        "huggingface-token",
        High,
        "Hugging Face token",
        "Hugging Face settings, tokens",
        &["hf_ N{34}", "api_org_ N{34}"],
        HUGGING_FACE,
    ),
    row(
        "openrouter-key",
        High,
        "OpenRouter key",
        "OpenRouter keys page",
        &["sk-or-v1- H{64}"],
        &["openrouter.ai"],
    ),
    row("groq-key", High, "Groq key", "Groq console, keys", &["gsk_ N{52}"], &["api.groq.com"]),
    row(
        "perplexity-key",
        High,
        "Perplexity key",
        "Perplexity settings, API",
        &["pplx- N{40,56}"],
        &["api.perplexity.ai"],
    ),
    row("xai-key", High, "xAI key", "xAI console", &["xai- W{70,120}", "xai-token- N{80}"], &["api.x.ai"]),
    row(
        "ollama-key",
        High,
        "Ollama key",
        "Ollama settings, keys",
        &["H{32} . W{24}"],
        &["ollama.com", "api.ollama.com"],
    )
    .near(&["ollama"]),
    row("cerebras-key", High, "Cerebras key", "Cerebras console", &["csk- l{48}"], &["api.cerebras.ai"]),
    row("deepseek-key", High, "DeepSeek key", "DeepSeek platform", &["sk- H{32}"], &["api.deepseek.com"])
        .near(&["deepseek"]),
    row(
        "deepseek-key",
        Medium,
        "model provider key",
        "the provider's key page",
        &["sk- H{32}"],
        &["api.deepseek.com"],
    )
    .checked(Check::Mixed),
    row(
        "replicate-token",
        High,
        "Replicate token",
        "Replicate account",
        &["r8_ N{37}"],
        &["api.replicate.com"],
    ),
    row(
        "nvidia-key",
        High,
        "NVIDIA key",
        "NVIDIA NGC",
        &["nvapi- W{60,70}"],
        &["integrate.api.nvidia.com", "api.nvcf.nvidia.com", "api.ngc.nvidia.com"],
    ),
    row(
        "together-key",
        High,
        "Together key",
        "Together settings",
        &["tgp_v1_ W{43}"],
        &["api.together.xyz", "api.together.ai"],
    ),
    row("voyage-key", High, "Voyage key", "Voyage dashboard", &["(pa|al)- W{43}"], &["api.voyageai.com"])
        .near(&["voyage"]),
    row(
        "langsmith-key",
        High,
        "LangSmith key",
        "LangSmith settings",
        &["lsv2_(pt|sk)_ H{32} _ H{10}"],
        &["api.smith.langchain.com"],
    ),
    row(
        "langfuse-secret",
        High,
        "Langfuse secret",
        "Langfuse project settings",
        &["sk-lf- UUID"],
        &["cloud.langfuse.com", "us.cloud.langfuse.com"],
    ),
    row("wandb-key", High, "Weights & Biases key", "W&B settings", &["wandb_v1_ W{77}"], &["api.wandb.ai"]),
    row("wandb-key", High, "Weights & Biases key", "W&B settings", &["H{40}"], &["api.wandb.ai"])
        .near(&["wandb"]),
    row(
        "pinecone-key",
        High,
        "Pinecone key",
        "Pinecone console",
        &["pcsk_ N{5,6} _ N{63}"],
        &["api.pinecone.io"],
    ),
    row(
        "elevenlabs-key",
        High,
        "ElevenLabs key",
        "ElevenLabs profile",
        &["sk_ H{48}"],
        &["api.elevenlabs.io"],
    ),
    row(
        "cursor-key",
        High,
        "Cursor key",
        "Cursor settings",
        &["(key|crsr)_ H{64}"],
        &["api.cursor.com", "api2.cursor.sh"],
    ),
    row(
        "minimax-key",
        High,
        "MiniMax key",
        "MiniMax console",
        &["sk-api- W{119}"],
        &["api.minimax.io", "api.minimax.chat"],
    ),
    row(
        "llamacloud-key",
        High,
        "LlamaCloud key",
        "LlamaCloud",
        &["llx- N{44,52}"],
        &["api.cloud.llamaindex.ai"],
    ),
    row("pyx-key", High, "pyx key", "pyx account", &["sk-pyx- N{50,70}"], &["api.pyx.dev"]),
    row(
        "runpod-key",
        High,
        "RunPod key",
        "RunPod settings",
        &["rpa_ U{44,52}"],
        &["api.runpod.io", "rest.runpod.io"],
    ),
    row(
        "tavily-key",
        High,
        "Tavily key",
        "Tavily dashboard",
        &["tvly- N{32}", "tvly-(dev|prod)- W{32}"],
        &["api.tavily.com"],
    ),
    row(
        "devin-key",
        High,
        "Devin key",
        "Devin settings",
        &["apk_user_ Z{40,200}", "apk_ Z{40,200}", "cog_ N{40,64}"],
        &["api.devin.ai"],
    )
    .checked(Check::Mixed),
    row("upstage-key", High, "Upstage key", "Upstage console", &["up_ N{29}"], &["api.upstage.ai"])
        .checked(Check::Mixed),
    row(
        "fireworks-key",
        High,
        "Fireworks key",
        "Fireworks account",
        &["fw_ N{22,24}"],
        &["api.fireworks.ai"],
    )
    .checked(Check::Mixed),
    row(
        "cohere-key",
        Medium,
        "Cohere key",
        "Cohere dashboard",
        &["N{40}"],
        &["api.cohere.com", "api.cohere.ai"],
    )
    .near(&["cohere", "co_api"]),
    row("mistral-key", Medium, "Mistral key", "Mistral console", &["N{32}"], &["api.mistral.ai"])
        .near(&["mistral"]),
    row(
        "stability-key",
        High,
        "Stability AI key",
        "Stability account",
        &["sk- N{48}"],
        &["api.stability.ai"],
    )
    .checked(Check::Mixed),
    row("deepgram-key", Medium, "Deepgram key", "Deepgram console", &["H{40}"], &["api.deepgram.com"])
        .near(&["deepgram"]),
    row("brave-key", High, "Brave Search key", "Brave Search API", &["BSA N{28}"], &["api.search.brave.com"])
        .checked(Check::Mixed),
    row("kagi-key", Medium, "Kagi key", "Kagi settings", &["W{11} . W{43}", "W{43}"], &["kagi.com"])
        .near(&["kagi"]),
];
