// Made from the service's own document by `npm run generate`; don't edit.

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The console */
        get: operations["get /"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The console's script */
        get: operations["get /app.js"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The console's style */
        get: operations["get /app.css"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the service is doing */
        get: operations["get /healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics, as Prometheus reads them */
        get: operations["get /metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["get /v1/openapi.json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A one-time code for a console's token */
        post: operations["post /v1/login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hook/{client}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An event of a coding agent's hook */
        post: operations["post /v1/hook/{client}"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hook/{client}/told": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the hook of the caller's own process was told about a call */
        post: operations["post /v1/hook/{client}/told"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/authzen-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** AuthZEN: where the endpoints are */
        get: operations["get /.well-known/authzen-configuration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decide a call (seed contract) and record it */
        post: operations["post /v1/decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/{id}/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report what became of an allowed call */
        post: operations["post /v1/decisions/{id}/outcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Wait for how a question ends */
        get: operations["get /v1/approvals/{id}/wait"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tools' schemas with the risk label that the model fills in */
        post: operations["post /v1/tools/schemas"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Judge a command of `doorward run` and run it here */
        post: operations["post /v1/runs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** How the tools that an MCP server lists stand */
        post: operations["post /v1/mcp/tools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Judge a call that an MCP gateway would forward */
        post: operations["post /v1/mcp/calls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What an MCP client's own dialog said to a question */
        post: operations["post /v1/mcp/answers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/ends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** How a forwarded call ended, with what it brought back */
        post: operations["post /v1/mcp/ends"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/contents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What an MCP server said beside its answers to calls */
        post: operations["post /v1/mcp/contents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraw the question of a gateway's call */
        post: operations["post /v1/mcp/withdrawals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record what came to a gateway and is no message */
        post: operations["post /v1/mcp/faults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/pins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Pinned tools of MCP servers, with what differs */
        get: operations["get /v1/mcp/pins"];
        put?: never;
        /** Approve a tool as it was shown; takes a person */
        post: operations["post /v1/mcp/pins"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse a tool as it was shown; it stays hidden */
        post: operations["post /v1/mcp/refusals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/egress/ways-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A way out for a process beside the service */
        post: operations["post /v1/egress/ways-out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/egress/ways-out/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Give a way out back */
        delete: operations["delete /v1/egress/ways-out/{id}"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/v1/evaluation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** AuthZEN: one question */
        post: operations["post /access/v1/evaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/v1/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** AuthZEN: many questions */
        post: operations["post /access/v1/evaluations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/v1/search/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** AuthZEN: who may, what, and how */
        post: operations["post /access/v1/search/{kind}"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** AuthZEN: ask a person about a denial */
        post: operations["post /access/v1/requests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/v1/requests/{task}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** AuthZEN: how a request stands */
        get: operations["get /access/v1/requests/{task}"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/v1/requests/{task}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** AuthZEN: withdraw a request */
        post: operations["post /access/v1/requests/{task}/cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is calling, and the CSRF word of a console */
        get: operations["get /v1/me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End this console */
        post: operations["post /v1/logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open questions, riskiest first */
        get: operations["get /v1/approvals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One question with its decision record */
        get: operations["get /v1/approvals/{id}"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is stopped */
        get: operations["get /v1/stops"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions */
        get: operations["get /v1/sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One session */
        get: operations["get /v1/sessions/{id}"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Records, youngest first */
        get: operations["get /v1/records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls with their effects, answers and outcomes, youngest first */
        get: operations["get /v1/calls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Decisions over time, rules, latency, answers, tools */
        get: operations["get /v1/overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Verify the ledger */
        get: operations["get /v1/ledger/verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/receipt/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A record's receipt */
        get: operations["get /v1/ledger/receipt/{index}"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happens, as server-sent events */
        get: operations["get /v1/events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ws": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happens, over a WebSocket */
        get: operations["get /v1/ws"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rules and policies in force */
        get: operations["get /v1/policies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Would this Cedar text load */
        post: operations["post /v1/policies/validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What would be decided, recorded nowhere */
        post: operations["post /v1/simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Settings in force */
        get: operations["get /v1/settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rules that people saved */
        get: operations["get /v1/rules"];
        put?: never;
        /** Save a rule; takes a person */
        post: operations["post /v1/rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules/in-force": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rules in force, packs included, with a week's matches */
        get: operations["get /v1/rules/in-force"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether a rule loads, and which past calls it meets */
        post: operations["post /v1/rules/try"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Safety experiences by tool */
        get: operations["get /v1/experiences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/rule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What an always would save */
        post: operations["post /v1/approvals/{id}/rule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a question */
        post: operations["post /v1/approvals/{id}/answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Judge its call with other arguments */
        post: operations["post /v1/approvals/{id}/edit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back an unused yes */
        post: operations["post /v1/approvals/{id}/recall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/needless": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Note that nobody needed to be asked */
        post: operations["post /v1/approvals/{id}/needless"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back a saved rule */
        post: operations["post /v1/rules/{id}/revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stops/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop everything, a session, an agent or a server */
        post: operations["post /v1/stops/new"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stops/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lift a stop; takes the phrase */
        post: operations["post /v1/stops/lift"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Forget what other people wrote in a session; takes a person */
        post: operations["post /v1/sessions/{id}/clear"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unlock this console by the passphrase */
        post: operations["post /v1/unlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/passphrase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set one's passphrase */
        post: operations["post /v1/passphrase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiences/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep the experiences of a tool */
        post: operations["post /v1/experiences/{tool}"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A one-time link that signs a console in */
        post: operations["post /v1/login-link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings/choose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the analyzer, the mode or when to confirm */
        post: operations["post /v1/settings/choose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let only floors stop a call, for an hour at most; 0 ends it */
        post: operations["post /v1/pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/guardian": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the guardian's model up */
        post: operations["post /v1/guardian"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/guardian/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the guardian's model for one word */
        post: operations["post /v1/guardian/test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Accounts */
        get: operations["get /v1/accounts"];
        put?: never;
        /** Add or change an account */
        post: operations["post /v1/accounts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tokens, never their secrets */
        get: operations["get /v1/tokens"];
        put?: never;
        /** Make a token; shown this once */
        post: operations["post /v1/tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tokens/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a token */
        post: operations["post /v1/tokens/{id}/revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            code: string;
            message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "get /": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /app.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": unknown;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /app.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css": unknown;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/openmetrics-text": unknown;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As in the link's fragment. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/hook/{client}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                client: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/hook/{client}/told": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                client: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /.well-known/authzen-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    principal: {
                        id: string;
                        groups?: string[];
                    };
                    action: string;
                    resource: {
                        type: string;
                        name: string;
                        attributes?: {
                            args?: Record<string, unknown>;
                            sandbox?: unknown;
                            schema?: Record<string, unknown>;
                        };
                    };
                    context?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/decisions/{id}/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How it ended. */
                    outcome: "ran" | "failed" | "killed" | "refused" | "abandoned";
                    /**
                     * Format: int32
                     * @description Exit code, where there is one.
                     */
                    exit?: number | null;
                    /** @description `sha256:` over what came back. */
                    output_digest?: string | null;
                    /**
                     * Format: uint64
                     * @description Length of what came back.
                     * @default 0
                     */
                    bytes?: number;
                    /**
                     * @description What came back: a text, or content blocks as MCP has them; at most 1 MiB. The session looks at it and keeps
                     *     fingerprints alone.
                     * @default null
                     */
                    result?: unknown;
                    /**
                     * @description Obligations of the decision, each with whether it was met.
                     * @default []
                     */
                    obligations?: {
                        /** @description Wire name of the obligation. */
                        type: string;
                        /** @description Whether it was met. */
                        done: boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/approvals/{id}/wait": {
        parameters: {
            query?: {
                seconds?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/tools/schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The tools, each as OpenAI (`{"type": "function", "function": {…, "parameters"}}`, or without the inner object),
                     *     Anthropic (`input_schema`) or MCP (`inputSchema`, `annotations`) has it.
                     */
                    tools: unknown[];
                    /**
                     * @description Whose names these are, as in `context.client` of a call.
                     * @default null
                     */
                    client?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What runs it: `shell:execute` unless given, or a code tool such as `python:execute`.
                     * @default null
                     */
                    tool?: string | null;
                    /** @description The command, or the code. */
                    command: string;
                    /** @description The working folder, absolute. */
                    cwd: string;
                    /**
                     * @description Put what needs a person into the queue, instead of denying it.
                     * @default false
                     */
                    queue?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/mcp/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The server. */
                    server: {
                        /** @description Its name, as policies write it: `mcp:NAME/TOOL`. */
                        name: string;
                        /** @description What is pinned of the server itself: its command with the digests of its files, or its address. */
                        identity: string;
                    };
                    /** @description Definitions, as they were written. */
                    tools: string[];
                    /** @description Working folder of the gateway, whose project's settings count. */
                    cwd: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/mcp/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The server. */
                    server: {
                        /** @description Its name, as policies write it: `mcp:NAME/TOOL`. */
                        name: string;
                        /** @description What is pinned of the server itself: its command with the digests of its files, or its address. */
                        identity: string;
                    };
                    /**
                     * @description What is asked for.
                     * @default tool
                     */
                    kind?: "tool" | "prompt" | "resource";
                    /** @description The name of the tool or the prompt, or the URI of the resource. */
                    tool: string;
                    /** @description Digest of its definition as the server lists it now; none where it lists none. */
                    digest?: string | null;
                    /** @description The arguments as they were written. */
                    arguments: string;
                    /** @description The client's id of the call. */
                    call: string;
                    /** @description Working folder of the gateway. */
                    cwd: string;
                    /**
                     * @description Further places where the call may act, as `doorward mcp --root` names them.
                     * @default []
                     */
                    roots?: string[];
                    /**
                     * @description The client reads the label `security_risk` in the schemas, so that a missing one counts.
                     * @default false
                     */
                    labelled?: boolean;
                    /** @description Which client of the gateway calls; none on pipes, where there is one. */
                    client?: {
                        /** @description Name of its session; empty at the revision without sessions. */
                        id: string;
                        /**
                         * Format: int32
                         * @description The client's process, as the kernel told the gateway; none where it didn't.
                         */
                        pid?: number | null;
                        /**
                         * Format: uint64
                         * @description When that process was started, in clock ticks after boot.
                         * @default 0
                         */
                        started?: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/mcp/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The question. */
                    question: string;
                    /** @description Yes or no. */
                    yes: boolean;
                    /** @description Which client of the gateway answered. */
                    client?: {
                        /** @description Name of its session; empty at the revision without sessions. */
                        id: string;
                        /**
                         * Format: int32
                         * @description The client's process, as the kernel told the gateway; none where it didn't.
                         */
                        pid?: number | null;
                        /**
                         * Format: uint64
                         * @description When that process was started, in clock ticks after boot.
                         * @default 0
                         */
                        started?: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/mcp/ends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The decision. */
                    id: string;
                    /** @description The server's name. */
                    server: string;
                    /** @description The tool. */
                    tool: string;
                    /** @description How. */
                    ending: "ran" | "failed" | "unobserved" | "not_sent";
                    /**
                     * @description Texts of the result as they came, in Base64, at most 1 MiB of them.
                     * @default
                     */
                    content?: string;
                    /**
                     * Format: uint64
                     * @description Bytes of the whole answer.
                     * @default 0
                     */
                    bytes?: number;
                    /**
                     * @description What was found in it.
                     * @default []
                     */
                    codes?: string[];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/mcp/contents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The server's name. */
                    server: string;
                    /** @description The method that brought it. */
                    method: string;
                    /**
                     * @description Its texts as they came, in Base64, at most 1 MiB of them.
                     * @default
                     */
                    content?: string;
                    /**
                     * @description What was found in it.
                     * @default []
                     */
                    codes?: string[];
                    /**
                     * @description The words of a question that the server puts to the user or to the client's model.
                     * @default null
                     */
                    asked?: string | null;
                    /** @description Which client of the gateway reads it. */
                    client?: {
                        /** @description Name of its session; empty at the revision without sessions. */
                        id: string;
                        /**
                         * Format: int32
                         * @description The client's process, as the kernel told the gateway; none where it didn't.
                         */
                        pid?: number | null;
                        /**
                         * Format: uint64
                         * @description When that process was started, in clock ticks after boot.
                         * @default 0
                         */
                        started?: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/mcp/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The question. */
                    question: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/mcp/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The server. */
                    server: string;
                    /** @description Stable code. */
                    code: string;
                    /** @description In words. */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/mcp/pins": {
        parameters: {
            query?: {
                server?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/mcp/pins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The server. */
                    server: string;
                    /**
                     * @description The tool; empty for the server itself, as it was started last.
                     * @default
                     */
                    tool?: string;
                    /** @description Digest of what the person was shown, as [`PinShown::shown`] gave it. */
                    shown: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/mcp/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The server. */
                    server: string;
                    /**
                     * @description The tool; empty for the server itself, as it was started last.
                     * @default
                     */
                    tool?: string;
                    /** @description Digest of what the person was shown, as [`PinShown::shown`] gave it. */
                    shown: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/egress/ways-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "delete /v1/egress/ways-out/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /access/v1/evaluation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    subject: {
                        type: string;
                        id: string;
                        properties?: Record<string, unknown>;
                    };
                    resource: {
                        type: string;
                        id: string;
                        properties?: Record<string, unknown>;
                    };
                    action: {
                        name: string;
                        properties?: Record<string, unknown>;
                    };
                    context?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /access/v1/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /access/v1/search/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /access/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /access/v1/requests/{task}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /access/v1/requests/{task}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/approvals": {
        parameters: {
            query?: {
                all?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/stops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/records": {
        parameters: {
            query?: {
                kind?: string | null;
                id?: string | null;
                session?: string | null;
                principal?: string | null;
                agent?: string | null;
                tool?: string | null;
                verdict?: string | null;
                code?: string | null;
                risk?: string | null;
                policy?: string | null;
                since?: string | null;
                until?: string | null;
                text?: string | null;
                before?: number | null;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/calls": {
        parameters: {
            query?: {
                id?: string | null;
                session?: string | null;
                principal?: string | null;
                agent?: string | null;
                tool?: string | null;
                verdict?: string | null;
                risk?: string | null;
                rule?: string | null;
                project?: string | null;
                since?: string | null;
                until?: string | null;
                text?: string | null;
                before?: number | null;
                limit?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/overview": {
        parameters: {
            query?: {
                hours?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/ledger/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/ledger/receipt/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                index: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/ws": {
        parameters: {
            query?: {
                last_event_id?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/policies/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The text. */
                    text: string;
                    /** @description What it is: Cedar, or rules in shorthand for one of the lists, one a line. */
                    form?: "cedar" | "allow" | "ask" | "deny";
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    principal: {
                        id: string;
                        groups?: string[];
                    };
                    action: string;
                    resource: {
                        type: string;
                        name: string;
                        attributes?: {
                            args?: Record<string, unknown>;
                            sandbox?: unknown;
                            schema?: Record<string, unknown>;
                        };
                    };
                    context?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `allow`, `ask` or `deny`.
                     * @enum {string}
                     */
                    verdict: "allow" | "ask" | "deny";
                    /** @description The rule in shorthand, such as `shell(git fetch *)`. */
                    rule: string;
                    /**
                     * @description Only for calls of this project's folder.
                     * @default null
                     */
                    project?: string | null;
                    /**
                     * @description A grant for the task of this session: everyday calls only, until the session ends.
                     * @default null
                     */
                    session?: string | null;
                    /**
                     * Format: date-time
                     * @description When it ends; without it, when someone takes it back.
                     * @default null
                     */
                    until?: string | null;
                    /**
                     * @description Why, for people who meet it.
                     * @default null
                     */
                    reason?: string | null;
                    /**
                     * @description Shows that a person is there.
                     * @default null
                     */
                    passphrase?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/rules/in-force": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/rules/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `allow`, `ask` or `deny`.
                     * @enum {string}
                     */
                    verdict: "allow" | "ask" | "deny";
                    /** @description The rule in shorthand, such as `shell(git fetch *)`. */
                    rule: string;
                    /**
                     * @description Only for calls of this project's folder.
                     * @default null
                     */
                    project?: string | null;
                    /**
                     * @description A grant for the task of this session: everyday calls only, until the session ends.
                     * @default null
                     */
                    session?: string | null;
                    /**
                     * Format: date-time
                     * @description When it ends; without it, when someone takes it back.
                     * @default null
                     */
                    until?: string | null;
                    /**
                     * @description Why, for people who meet it.
                     * @default null
                     */
                    reason?: string | null;
                    /**
                     * @description Shows that a person is there.
                     * @default null
                     */
                    passphrase?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/experiences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/approvals/{id}/rule": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description In shorthand; empty: the narrowest that cover the call.
                     * @default []
                     */
                    rules?: string[];
                    /**
                     * @description `session`, `agent` (in this project), `project` or `user`.
                     * @default null
                     * @enum {string|null}
                     */
                    scope?: "session" | "agent" | "project" | "user" | null;
                    /**
                     * @description `1h`, `today`, `30d` or `none`.
                     * @default null
                     * @enum {string|null}
                     */
                    lasts?: "1h" | "today" | "30d" | "none" | null;
                    /**
                     * @description Never instead of always.
                     * @default false
                     */
                    deny?: boolean;
                    /**
                     * @description A scope for the session's task: for this session, two hours at most.
                     * @default false
                     */
                    task?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/approvals/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Yes or no. */
                    answer: "yes" | "no";
                    /**
                     * @description How far a yes reaches.
                     * @default once
                     */
                    reach?: "once" | "session" | "always";
                    /**
                     * @description The phrase, where one is asked for.
                     * @default null
                     */
                    typed?: string | null;
                    /**
                     * @description For the agent to read.
                     * @default null
                     */
                    reason?: string | null;
                    /** @description The rule to save with it, where it reaches always. */
                    rule?: {
                        /**
                         * @description In shorthand; empty: the narrowest that cover the call.
                         * @default []
                         */
                        rules?: string[];
                        /**
                         * @description `session`, `agent` (in this project), `project` or `user`.
                         * @default null
                         * @enum {string|null}
                         */
                        scope?: "session" | "agent" | "project" | "user" | null;
                        /**
                         * @description `1h`, `today`, `30d` or `none`.
                         * @default null
                         * @enum {string|null}
                         */
                        lasts?: "1h" | "today" | "30d" | "none" | null;
                        /**
                         * @description Never instead of always.
                         * @default false
                         */
                        deny?: boolean;
                        /**
                         * @description A scope for the session's task: for this session, two hours at most.
                         * @default false
                         */
                        task?: boolean;
                    } | null;
                    /**
                     * @description Digest of the rule's preview, as it was shown.
                     * @default null
                     */
                    preview?: string | null;
                    /**
                     * @description Shows that a person is there, for this answer alone.
                     * @default null
                     */
                    passphrase?: string | null;
                    /**
                     * @description Digest of what the person was shown, as `GET` told it.
                     * @default null
                     */
                    shown?: string | null;
                    /**
                     * @description With a no: nothing of this session runs until a person lifts it.
                     * @default false
                     */
                    stop?: boolean;
                    /**
                     * @description With a yes to an edited call: the question it was edited from, which is answered with no.
                     * @default null
                     */
                    instead_of?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/approvals/{id}/edit": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description JSON text of an object, so that every number stays as it is written. */
                    args: string;
                    /** @description Digest of what the person was shown, as `GET` told it. */
                    shown: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/approvals/{id}/recall": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/approvals/{id}/needless": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/rules/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The passphrase.
                     * @default null
                     */
                    passphrase?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/stops/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description `all`, `session:ID`, `agent:NAME` or `server:NAME`. */
                    scope: string;
                    /**
                     * @description Why.
                     * @default
                     */
                    reason?: string;
                    /**
                     * @description The phrase, to lift.
                     * @default
                     */
                    typed?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/stops/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description `all`, `session:ID`, `agent:NAME` or `server:NAME`. */
                    scope: string;
                    /**
                     * @description Why.
                     * @default
                     */
                    reason?: string;
                    /**
                     * @description The phrase, to lift.
                     * @default
                     */
                    typed?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/sessions/{id}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The one to check or to set. */
                    passphrase: string;
                    /**
                     * @description The one before, to change it.
                     * @default
                     */
                    old?: string;
                    /**
                     * @description The one before is forgotten: at a terminal, asked for twice with a day in between.
                     * @default false
                     */
                    forgotten?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/passphrase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The one to check or to set. */
                    passphrase: string;
                    /**
                     * @description The one before, to change it.
                     * @default
                     */
                    old?: string;
                    /**
                     * @description The one before is forgotten: at a terminal, asked for twice with a day in between.
                     * @default false
                     */
                    forgotten?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/experiences/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tool: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description In their order. */
                    rules: string[];
                    /**
                     * @description Shows that a person is there.
                     * @default null
                     */
                    passphrase?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/login-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/settings/choose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `effects`, `llm`, `toolshield`, `pattern`, `rail` or `noop`.
                     * @default null
                     * @enum {string|null}
                     */
                    analyzer?: "effects" | "llm" | "toolshield" | "pattern" | "rail" | "noop" | null;
                    /**
                     * @description The permission mode that calls begin in.
                     * @default null
                     */
                    mode?: ("default" | "plan" | "acceptEdits" | "dontAsk" | "bypassPermissions") | null;
                    /**
                     * @description `AlwaysConfirm`, `NeverConfirm` or `ConfirmRisky`.
                     * @default null
                     * @enum {string|null}
                     */
                    confirm?: "AlwaysConfirm" | "NeverConfirm" | "ConfirmRisky" | null;
                    /**
                     * @description With `ConfirmRisky`: the least risk that is asked about; HIGH where nothing is said.
                     * @default null
                     * @enum {unknown}
                     */
                    threshold?: "LOW" | "MEDIUM" | "HIGH";
                    /**
                     * @description With `ConfirmRisky`: also where the risk isn't known; so where nothing is said.
                     * @default null
                     */
                    confirm_unknown?: boolean | null;
                    /**
                     * @description The phrase, for what switches asking off.
                     * @default
                     */
                    typed?: string;
                    /**
                     * @description Shows that a person is there.
                     * @default null
                     */
                    passphrase?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uint32
                     * @description Seconds from now; 0 ends the pause.
                     */
                    seconds: number;
                    /**
                     * @description Why, for the record.
                     * @default
                     */
                    reason?: string;
                    /**
                     * @description Shows that a person is there.
                     * @default null
                     */
                    passphrase?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/guardian": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description `provider/model`; empty for none. */
                    model: string;
                    /**
                     * @description Where its API is; empty for the provider's own place.
                     * @default
                     */
                    base_url?: string;
                    /**
                     * @description Name of the environment variable that holds its key, or `file:/path`; empty for the provider's usual one.
                     * @default
                     */
                    api_key_env?: string;
                    /**
                     * @description Shows that a person is there.
                     * @default null
                     */
                    passphrase?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/guardian/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Principal id, such as `ana`. */
                    name: string;
                    /**
                     * @description `agent`, `viewer`, `approver` or `admin`.
                     * @enum {string}
                     */
                    role: "agent" | "viewer" | "approver" | "admin";
                    /**
                     * @description Groups.
                     * @default []
                     */
                    groups?: string[];
                    /**
                     * @description Locked out.
                     * @default false
                     */
                    disabled?: boolean;
                    /**
                     * @description Shows that a person is there.
                     * @default null
                     */
                    passphrase?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "get /v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whose. */
                    account: string;
                    /**
                     * @description What for.
                     * @default
                     */
                    label?: string;
                    /**
                     * Format: int64
                     * @description Days it is good for.
                     * @default null
                     */
                    days?: number | null;
                    /**
                     * @description Shows that a person is there.
                     * @default null
                     */
                    passphrase?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
    "post /v1/tokens/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description It wasn't done: a stable code and the reason */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                    "application/problem+json": Record<string, unknown>;
                };
            };
        };
    };
}
