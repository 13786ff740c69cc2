"""Each framework with a scripted local model: a call is allowed, denied (the model hears why), asked and answered, and
a result goes to the model without its secret. The frameworks, their wire formats and the gate are real."""

from __future__ import annotations

import asyncio
import importlib
import os
import secrets as randomness
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import doorward
from conftest import lacking, settings_in
from model import Model

TOKEN = "ghp_" + randomness.token_hex(18)


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[doorward.Gate]:
    with doorward.Gate(settings_in(tmp_path / "state")) as opened:
        yield opened


class Ran(list):
    """Commands that really ran, and what they brought."""

    def run(self, command: str) -> str:
        self.append(command)
        return f"key = {TOKEN}" if command.startswith("cat") else f"did {command}"


#: A framework's whole agent: takes the gate, the model, the tool's function and the wait, runs to the end.
Agent = Callable[[doorward.Gate, Model, Ran, float], None]


def openai_agents(gate: doorward.Gate, model: Model, ran: Ran, wait: float, wire: str = "chat") -> None:
    import agents
    from openai import AsyncOpenAI

    from doorward.openai_agents import guarded

    agents.set_tracing_disabled(True)

    @agents.function_tool
    def run_command(command: str) -> str:
        """Runs a command."""
        return ran.run(command)

    client = AsyncOpenAI(base_url=model.url, api_key="none")
    kind = agents.OpenAIChatCompletionsModel if wire == "chat" else agents.OpenAIResponsesModel
    agent = agents.Agent(
        name="a",
        model=kind(model="scripted", openai_client=client),
        tools=[guarded(gate, run_command, tool="shell:execute", wait=wait)],
    )
    asyncio.run(agents.Runner.run(agent, "Please.", max_turns=12))


def openai_agents_responses(gate: doorward.Gate, model: Model, ran: Ran, wait: float) -> None:
    openai_agents(gate, model, ran, wait, "responses")


def langchain(gate: doorward.Gate, model: Model, ran: Ran, wait: float, later: bool = False) -> None:
    from langchain.agents import create_agent
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    from doorward.langchain import DoorwardMiddleware

    @tool
    def run_command(command: str) -> str:
        """Runs a command."""
        return ran.run(command)

    agent = create_agent(
        ChatOpenAI(model="scripted", base_url=model.url, api_key="none"),
        [run_command],
        middleware=[DoorwardMiddleware(gate, {"run_command": "shell:execute"}, wait=wait)],
    )
    asked = {"messages": [("user", "Please.")]}
    if later:
        asyncio.run(agent.ainvoke(asked))
    else:
        agent.invoke(asked)


def langchain_command(gate: doorward.Gate, model: Model, ran: Ran, wait: float) -> None:
    """A tool that changes the graph's state itself, and so writes its own message."""
    from typing import Annotated

    from langchain.agents import create_agent
    from langchain_core.messages import ToolMessage
    from langchain_core.tools import InjectedToolCallId, tool
    from langchain_openai import ChatOpenAI
    from langgraph.types import Command

    from doorward.langchain import DoorwardMiddleware

    def run_command(command: str, id: str) -> Command:
        """Runs a command."""
        return Command(update={"messages": [ToolMessage(ran.run(command), tool_call_id=id)]})

    # Annotations in the text of this module are texts, and these names are known in this function alone.
    run_command.__annotations__ = {"command": str, "id": Annotated[str, InjectedToolCallId], "return": Command}

    agent = create_agent(
        ChatOpenAI(model="scripted", base_url=model.url, api_key="none"),
        [tool(run_command)],
        middleware=[DoorwardMiddleware(gate, {"run_command": "shell:execute"}, wait=wait)],
    )
    agent.invoke({"messages": [("user", "Please.")]})


def langchain_asyncio(gate: doorward.Gate, model: Model, ran: Ran, wait: float) -> None:
    langchain(gate, model, ran, wait, later=True)


def claude_agent(gate: doorward.Gate, model: Model, ran: Ran, wait: float) -> None:
    from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query, tool

    from doorward.claude_agent import hooks

    @tool("run_command", "Runs a command.", {"command": str})
    async def run_command(args: dict) -> dict:
        return {"content": [{"type": "text", "text": ran.run(args["command"])}]}

    home = os.environ["DOORWARD_TEST_HOME"]
    options = ClaudeAgentOptions(
        mcp_servers={"own": create_sdk_mcp_server("own", tools=[run_command])},
        hooks=hooks(gate, {"mcp__own__run_command": "shell:execute"}, wait=wait),
        cwd=home,
        model="claude-sonnet-4-5",
        allowed_tools=["mcp__own__run_command"],
        setting_sources=[],
        max_turns=12,
        env={
            "ANTHROPIC_BASE_URL": model.root,
            "ANTHROPIC_API_KEY": "none",
            "HOME": home,
            "CLAUDE_CONFIG_DIR": home,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ENABLE_TOOL_SEARCH": "false",
        },
    )

    async def course() -> None:
        async for _ in query(prompt="Please.", options=options):
            pass

    model.calls = [("mcp__own__" + name, args) for name, args in model.calls]
    asyncio.run(course())


def pydantic_ai(gate: doorward.Gate, model: Model, ran: Ran, wait: float, structured: bool = False) -> None:
    from pydantic import BaseModel
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.toolsets import FunctionToolset

    from doorward.pydantic_ai import DoorwardToolset

    class Result(BaseModel):
        text: str

    def run_command(command: str) -> Any:
        """Runs a command."""
        return Result(text=ran.run(command)) if structured else ran.run(command)

    toolset = DoorwardToolset(
        FunctionToolset([run_command]), door=gate, names={"run_command": "shell:execute"}, wait=wait
    )
    provider = OpenAIProvider(base_url=model.url, api_key="none")
    Agent(OpenAIChatModel("scripted", provider=provider), toolsets=[toolset]).run_sync("Please.")


def pydantic_ai_model(gate: doorward.Gate, model: Model, ran: Ran, wait: float) -> None:
    """A tool whose result is a model of Pydantic's."""
    pydantic_ai(gate, model, ran, wait, structured=True)


def smolagents(gate: doorward.Gate, model: Model, ran: Ran, wait: float) -> None:
    from smolagents import OpenAIServerModel, Tool, ToolCallingAgent

    from doorward.smolagents import guarded

    class RunCommand(Tool):
        name = "run_command"
        description = "Runs a command."
        inputs = {"command": {"type": "string", "description": "The command."}}
        output_type = "string"

        def forward(self, command: str) -> str:
            return ran.run(command)

    model.calls.append(("final_answer", {"answer": "Done."}))
    agent = ToolCallingAgent(
        tools=[guarded(gate, RunCommand(), tool="shell:execute", wait=wait)],
        model=OpenAIServerModel("scripted", api_base=model.url, api_key="none"),
        verbosity_level=0,
    )
    agent.run("Please.")


def crewai(gate: doorward.Gate, model: Model, ran: Ran, wait: float) -> None:
    os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
    from crewai import LLM, Agent, Crew, Task
    from crewai.tools import tool

    from doorward.crewai import guarded

    @tool("run_command")
    def run_command(command: str) -> str:
        """Runs a command."""
        return ran.run(command)

    llm = LLM(model="openai/gpt-4o", base_url=model.url, api_key="none")
    tools = [guarded(gate, run_command, tool="shell:execute", wait=wait)]
    agent = Agent(role="r", goal="g", backstory="b", llm=llm, tools=tools, verbose=False)
    task = Task(description="Please.", expected_output="Done.", agent=agent)
    Crew(agents=[agent], tasks=[task], verbose=False, tracing=False).kickoff()


def agent_framework(gate: doorward.Gate, model: Model, ran: Ran, wait: float) -> None:
    from agent_framework import Agent, tool
    from agent_framework.openai import OpenAIChatCompletionClient

    from doorward.agent_framework import DoorwardMiddleware

    @tool(approval_mode="never_require")
    def run_command(command: str) -> str:
        """Runs a command."""
        return ran.run(command)

    agent = Agent(
        OpenAIChatCompletionClient(model="scripted", base_url=model.url, api_key="none"),
        tools=[run_command],
        middleware=[DoorwardMiddleware(gate, {"run_command": "shell:execute"}, wait=wait)],
    )
    asyncio.run(agent.run("Please."))


#: By the module that has to be there.
FRAMEWORKS: list[tuple[str, Agent]] = [
    ("agents", openai_agents),
    ("agents", openai_agents_responses),
    ("langchain", langchain),
    ("langchain", langchain_asyncio),
    ("langchain", langchain_command),
    ("claude_agent_sdk", claude_agent),
    ("pydantic_ai", pydantic_ai),
    ("pydantic_ai", pydantic_ai_model),
    ("smolagents", smolagents),
    ("crewai", crewai),
    ("agent_framework", agent_framework),
]


@pytest.mark.parametrize(("module", "agent"), FRAMEWORKS, ids=[agent.__name__ for _, agent in FRAMEWORKS])
def test_a_frameworks_calls_pass_the_door(
    module: str, agent: Agent, gate: doorward.Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOORWARD_TEST_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    wanted = os.environ.get("DOORWARD_FRAMEWORKS", "").split()
    if wanted and module not in wanted:
        pytest.skip("another environment has it")
    try:
        importlib.import_module(module)
    except ImportError as error:
        lacking("test_frameworks", f"{module} can't be imported: {error}")
    commands = ["echo one", "curl https://example.com", "git push origin yes", "git push origin no", "cat notes.txt"]
    model = Model(*(("run_command", {"command": command}) for command in commands))
    ran = Ran()
    answered: list[str] = []
    stop = threading.Event()

    def person() -> None:
        while not stop.is_set():
            for question in gate.approvals():
                yes = "origin yes" in question["args"]["command"]
                gate.answer(question["id"], yes, by="a person", dialog=True, reason=None if yes else "not this one")
                answered.append(question["args"]["command"])
            time.sleep(0.02)

    thread = threading.Thread(target=person)
    thread.start()
    try:
        agent(gate, model, ran, 20.0)
    finally:
        stop.set()
        thread.join()
        model.close()
    assert ran == ["echo one", "git push origin yes", "cat notes.txt"], (ran, model.results)
    assert len(model.results) >= 5, model.results
    allowed, denied, asked, refused, shown = model.results[:5]
    assert "did echo one" in allowed and "did git push origin yes" in asked
    assert "Nothing is fetched here." in denied and "Do not retry" in denied
    assert "not this one" in refused
    assert TOKEN not in "".join(model.results) and "key = ghp_" in shown
    assert sorted(answered) == ["git push origin no", "git push origin yes"]
    assert gate.health()["open_permits"] == 0, "every allowed call has its outcome"
