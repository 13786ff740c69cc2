//! The one table of the files that programs obey without being told: their configuration, tests, plug-ins and build
//! files, by their real names.

/// Programs, the files they obey, and what those are read as.
pub(super) struct PickupRow {
    pub(super) programs: &'static str,
    /// A leaf's name, or a path from the working folder with `/`, both with at most one `*`; `{}` is a folder that
    /// a word names.
    pub(super) files: &'static str,
    /// The language; empty: by name.
    pub(super) language: &'static str,
    pub(super) when: Obeyed,
    pub(super) on_disk: OnDisk,
}

/// With which words a program obeys its files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Obeyed {
    /// With all but those that only ask for its version or help.
    Works,
    /// With all.
    Always,
    /// With these sub-commands.
    By(&'static str),
    /// With all sub-commands but these.
    ButBy(&'static [&'static str]),
}

/// What of a file counts that nobody wrote in this session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnDisk {
    /// All that it says.
    Read,
    /// Only the files of code that it names: most of its settings are for other programs.
    Names,
    /// Nothing: the program obeys it only where the user's own settings say so.
    Nothing,
}

const fn row(programs: &'static str, files: &'static str, language: &'static str) -> PickupRow {
    PickupRow { programs, files, language, when: Obeyed::Works, on_disk: OnDisk::Read }
}

impl PickupRow {
    const fn when(self, when: Obeyed) -> Self {
        Self { when, ..self }
    }

    const fn on_disk(self, on_disk: OnDisk) -> Self {
        Self { on_disk, ..self }
    }
}

pub(super) const PYTHON: &str = "python python3 pypy ipython pytest py.test coverage tox nox invoke inv fab \
    doit scons snakemake locust gunicorn celery flask uvicorn alembic sphinx-build mypy pylint \
    flake8 pip pip3 uv poetry hatch pdm django-admin jupyter";
const NODE: &str = "node npm npx pnpm pnpx yarn bun bunx deno tsx ts-node jest vitest vite webpack \
    rollup eslint prettier tsc next nuxt babel mocha ava karma playwright cypress postcss \
    tailwindcss gulp grunt nodemon lint-staged esbuild parcel stylelint astro remix svelte-kit \
    storybook ng eleventy gatsby react-native commitlint typedoc drizzle-kit hardhat truffle knex \
    pm2 c8 nyc semantic-release markdownlint-cli2";

/// Sub-commands of cargo that run no code of the project but its build scripts (cargo(1), 1.83).
const CARGO_RUNS_NOTHING: &[&str] = &[
    "",
    "add",
    "b",
    "build",
    "c",
    "check",
    "clean",
    "clippy",
    "config",
    "d",
    "doc",
    "fetch",
    "fix",
    "fmt",
    "generate-lockfile",
    "help",
    "info",
    "init",
    "install",
    "locate-project",
    "login",
    "logout",
    "metadata",
    "new",
    "owner",
    "package",
    "pkgid",
    "publish",
    "read-manifest",
    "remove",
    "report",
    "rm",
    "rustc",
    "rustdoc",
    "search",
    "tree",
    "uninstall",
    "update",
    "vendor",
    "verify-project",
    "version",
    "yank",
];
/// Those that compile nothing, either.
const CARGO_COMPILES_NOTHING: &[&str] = &[
    "",
    "add",
    "clean",
    "config",
    "fetch",
    "fmt",
    "generate-lockfile",
    "help",
    "info",
    "init",
    "locate-project",
    "login",
    "logout",
    "metadata",
    "new",
    "owner",
    "pkgid",
    "read-manifest",
    "remove",
    "report",
    "rm",
    "search",
    "tree",
    "uninstall",
    "update",
    "vendor",
    "verify-project",
    "version",
    "yank",
];

/// Sources: the configuration chapters of each tool's manual.
pub(super) const ROWS: &[PickupRow] = &[
    row(PYTHON, "sitecustomize.py usercustomize.py", "python").on_disk(OnDisk::Nothing),
    row(
        "pytest py.test coverage tox nox unittest",
        "conftest.py test_*.py *_test.py __init__.py tests/conftest.py tests/test_*.py tests/*_test.py \
            test/conftest.py test/test_*.py",
        "python",
    ),
    row(
        "pytest py.test coverage mypy pylint flake8 tox nox ruff black isort",
        "pytest.ini setup.cfg pyproject.toml tox.ini .coveragerc mypy.ini .mypy.ini .pylintrc \
            pylintrc .flake8",
        "recipe",
    )
    .on_disk(OnDisk::Names),
    row("tox", "tox.ini", "recipe"),
    row("nox", "noxfile.py", "python"),
    row("invoke inv", "tasks.py", "python"),
    row("fab", "fabfile.py", "python"),
    row("doit", "dodo.py", "python"),
    row("scons", "SConstruct Sconstruct sconstruct SConscript site_scons/*.py", "python")
        .when(Obeyed::Always),
    row("snakemake", "Snakefile", "recipe"),
    row("locust", "locustfile.py", "python"),
    row("behave", "environment.py steps/*", "python"),
    row("poetry pdm", "build.py", "python").on_disk(OnDisk::Nothing),
    row("cookiecutter copier", "hooks/*", "").on_disk(OnDisk::Nothing),
    row("scrapy", "*.py", "python").on_disk(OnDisk::Nothing),
    row("tilt", "Tiltfile", "python"),
    row("hatch", "conftest.py test_*.py *_test.py hatch_build.py", "python"),
    row("act", ".github/workflows/*", "recipe"),
    row("earthly", "Earthfile", "recipe"),
    row("skaffold", "skaffold.yaml", "recipe"),
    row("ninja samu", "build.ninja", "recipe"),
    row("gunicorn", "gunicorn.conf.py", "python"),
    row("flask", "app.py wsgi.py .flaskenv", ""),
    row("mkdocs", "mkdocs.yml mkdocs.yaml", "recipe").on_disk(OnDisk::Names),
    row(
        "bazel bazelisk buck2 buck",
        "BUILD BUILD.bazel BUCK WORKSPACE WORKSPACE.bazel MODULE.bazel *.bzl",
        "recipe",
    ),
    row("lerna nx rush turbo wireit", "package.json nx.json project.json turbo.json", "recipe"),
    row("storybook start-storybook build-storybook", ".storybook/*", "javascript"),
    row("alembic", "env.py alembic/env.py migrations/env.py", "python"),
    row("sphinx-build", "conf.py docs/conf.py source/conf.py", "python"),
    row("django-admin python python3", "manage.py settings.py", "python"),
    row("pip pip3 uv poetry hatch pdm build", "setup.py", "python"),
    row(
        NODE,
        "*.config.js *.config.cjs *.config.mjs *.config.ts *.config.mts *.config.cts .*rc.js \
            .*rc.cjs .*rc.mjs *.conf.js *.setup.js *.setup.ts gulpfile.js gulpfile.mjs Gruntfile.js \
            .eleventy.js gatsby-node.js gatsby-config.js typedoc.js truffle-config.js knexfile.js \
            .markdownlint-cli2.cjs .markdownlint-cli2.mjs",
        "javascript",
    ),
    row("pnpm", ".pnpmfile.cjs .pnpmfile.mjs pnpmfile.cjs", "javascript"),
    row(
        NODE,
        ".prettierrc .eslintrc .eslintrc.json .babelrc .babelrc.json .mocharc.json .mocharc.yml \
            .stylelintrc .stylelintrc.json .npmrc .yarnrc.yml .yarnrc bunfig.toml deno.json \
            deno.jsonc .lintstagedrc .lintstagedrc.json nodemon.json package.json .swcrc \
            tsconfig.json .c8rc.json .nycrc",
        "recipe",
    )
    .on_disk(OnDisk::Names),
    row("yarn", ".yarnrc.yml .yarnrc", "recipe").when(Obeyed::Always),
    row("lint-staged", ".lintstagedrc .lintstagedrc.json .lintstagedrc.yaml package.json", "recipe"),
    row("nodemon", "nodemon.json", "recipe"),
    row("serverless sls", "serverless.yml serverless.ts", "recipe"),
    row(NODE, "node_modules/.bin/**", "").when(Obeyed::Always),
    row(NODE, "node_modules/**", "javascript").on_disk(OnDisk::Nothing),
    row(
        "jest vitest mocha ava playwright cypress npm pnpm yarn bun karma",
        "*.test.js *.test.ts *.test.jsx *.test.tsx *.test.mjs *.spec.js *.spec.ts *.spec.tsx \
            __tests__/*.js __tests__/*.ts test/*.js test/*.ts tests/*.js tests/*.ts",
        "javascript",
    ),
    row("go", "*.go cmd/*.go", "go").when(Obeyed::By("run test generate")),
    row("go", "go.mod go.sum go.work", "recipe").on_disk(OnDisk::Nothing),
    row("mage", "magefile.go magefiles/*.go *.go", "go"),
    row("cargo", "build.rs", "rust").when(Obeyed::ButBy(CARGO_COMPILES_NOTHING)),
    row("cargo", "*.rs src/*.rs src/bin/*.rs tests/*.rs", "rust").when(Obeyed::ButBy(CARGO_RUNS_NOTHING)),
    row("cargo", ".cargo/config.toml .cargo/config", "recipe"),
    row("cargo", "config.toml Cargo.toml", "recipe").on_disk(OnDisk::Names),
    row(
        "cargo rustc rustfmt rustdoc clippy-driver rust-analyzer",
        "rust-toolchain.toml rust-toolchain",
        "recipe",
    )
    .when(Obeyed::Always)
    .on_disk(OnDisk::Names),
    row("make gmake", "*.mk", "make").on_disk(OnDisk::Nothing),
    row("cmake ctest", "CMakeLists.txt *.cmake", "cmake").on_disk(OnDisk::Nothing),
    row("meson ninja", "meson.build", "meson"),
    row(
        "gradle gradlew",
        "build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle \
            buildSrc/build.gradle buildSrc/build.gradle.kts",
        "groovy",
    ),
    row("gradle gradlew", "gradle.properties", "recipe"),
    row("mvn mvnw", "pom.xml extensions.xml maven.config", "maven"),
    row("mvn mvnw", ".mvn/jvm.config .mvn/maven.config .mvn/extensions.xml", "recipe")
        .when(Obeyed::Always)
        .on_disk(OnDisk::Names),
    row("ant", "build.xml", "ant"),
    row("sbt", ".jvmopts .sbtopts", "recipe").when(Obeyed::Always).on_disk(OnDisk::Names),
    row("hugo", "hugo.toml hugo.yaml hugo.json config.toml config.yaml config.json", "hugo"),
    row("sbt mill", "build.sbt build.sc build.mill plugins.sbt project/plugins.sbt project/*.scala", "scala"),
    row("rake", "Rakefile *.rake", "ruby"),
    row("bundle bundler", "Gemfile", "ruby"),
    row("gem bundle", "*.gemspec", "ruby"),
    row(
        "rspec bundle rake",
        "*_spec.rb spec_helper.rb rails_helper.rb spec/*_spec.rb spec/spec_helper.rb spec/rails_helper.rb",
        "ruby",
    ),
    row("rspec rubocop", ".rspec .rubocop.yml", "recipe").on_disk(OnDisk::Names),
    row("irb ruby", ".irbrc", "ruby"),
    row("vagrant", "Vagrantfile", "ruby"),
    row("pod", "Podfile", "ruby"),
    row("guard", "Guardfile", "ruby"),
    row("cap", "Capfile config/deploy.rb", "ruby"),
    row("danger", "Dangerfile", "ruby"),
    row("rackup puma", "config.ru", "ruby"),
    row("pry", ".pryrc", "ruby"),
    row("fastlane", "Fastfile fastlane/Fastfile", "ruby"),
    row("brew", "Brewfile", "ruby").when(Obeyed::By("bundle")),
    row("foreman heroku honcho overmind", "Procfile", "recipe"),
    row("composer", "composer.json", "recipe"),
    row("phpunit pest", "phpunit.xml phpunit.xml.dist", "recipe"),
    row("mix iex elixir", "mix.exs config.exs config/config.exs .formatter.exs", "elixir"),
    row("dune", "dune dune-project", "dune"),
    row("R Rscript", ".Rprofile Rprofile.site", "r"),
    row("terraform tofu terragrunt", "*.tf *.tf.json", "recipe").on_disk(OnDisk::Nothing),
    row(
        "ansible ansible-playbook ansible-inventory ansible-galaxy ansible-doc ansible-console",
        "ansible.cfg",
        "recipe",
    )
    .when(Obeyed::Always)
    .on_disk(OnDisk::Names),
    row("pre-commit", ".pre-commit-config.yaml", "recipe"),
    row("lefthook", "lefthook.yml lefthook.yaml", "recipe"),
    row("task go-task", "Taskfile.yml Taskfile.yaml", "recipe"),
    row("poe task", "pyproject.toml", "recipe"),
    row("pdm hatch pipenv", "pyproject.toml Pipfile", "recipe"),
    row("mise", "mise.toml .mise.toml", "recipe"),
    row(
        "docker docker-compose podman podman-compose",
        "docker-compose.yml docker-compose.yaml compose.yaml compose.yml docker-compose.override.yml",
        "compose",
    )
    .on_disk(OnDisk::Nothing),
    row("gdb", ".gdbinit", "gdb").on_disk(OnDisk::Nothing),
    row("lldb", ".lldbinit", "gdb").on_disk(OnDisk::Nothing),
    row("direnv", ".envrc", "shell").when(Obeyed::By("exec allow permit grant reload")),
    row("git", ".git/hooks/*", "").on_disk(OnDisk::Nothing),
    row("tmux", ".tmux.conf", "recipe").on_disk(OnDisk::Nothing),
    row("vim nvim", ".exrc .nvim.lua", "vim").on_disk(OnDisk::Nothing),
    row("jake", "Jakefile Jakefile.js jakefile.js", "javascript"),
    row("cake", "Cakefile", "recipe"),
    row("waf", "wscript", "python"),
    row("conan", "conanfile.py", "python"),
    row("pelican", "pelicanconf.py publishconf.py", "python"),
    row("jupyter", "jupyter_config.py jupyter_nbconvert_config.py jupyter_server_config.py", "python"),
    row("ipython", "ipython_config.py", "python"),
    row("dvc", "dvc.yaml", "recipe"),
    row("mlflow", "MLproject", "recipe"),
    row("husky", ".husky/*", ""),
    row("goreleaser", ".goreleaser.yml .goreleaser.yaml", "recipe"),
    row("air", ".air.toml", "recipe"),
    row("modd", "modd.conf", "recipe"),
    row("rebar3", "rebar.config rebar.config.script", "recipe"),
    row("cabal stack", "Setup.hs Setup.lhs", "haskell"),
    row("dotnet", "global.json", "recipe").when(Obeyed::Always).on_disk(OnDisk::Names),
    row(
        "dotnet msbuild",
        "*.csproj *.fsproj *.vbproj Directory.Build.props Directory.Build.targets",
        "msbuild",
    ),
    row("zig", "build.zig", "zig").when(Obeyed::By("build")),
    row("swift", "Package.swift", "swift").when(Obeyed::By("build package run test")),
    row("xmake", "xmake.lua", "lua"),
    row("premake premake4 premake5", "premake4.lua premake5.lua", "lua"),
    row("prove", "t/*.t", "perl"),
    row("prove", ".proverc", "recipe"),
    row("nimble", "*.nimble", "recipe"),
    row("nim nimble", "config.nims", "recipe"),
    row("dub", "dub.json dub.sdl", "recipe"),
    row("shards", "shard.yml", "recipe"),
    row("latexmk", "latexmkrc .latexmkrc", "perl"),
    row("pants", "pants.toml BUILD", "recipe"),
    row("packer", "*.pkr.hcl", "recipe"),
    row("pulumi", "Pulumi.yaml", "recipe"),
    row("pulumi", "__main__.py", "python"),
    row("pulumi", "index.ts index.js", "javascript"),
    row("sam", "template.yaml template.yml samconfig.toml", "recipe"),
    row("werf", "werf.yaml", "recipe"),
    row("devspace", "devspace.yaml", "recipe"),
    row("gitlab-runner", ".gitlab-ci.yml", "recipe"),
    row("tmuxinator", ".tmuxinator.yml", "recipe"),
    row("quarto", "_quarto.yml *.qmd", "recipe"),
    row("bmake", "BSDmakefile Makefile makefile", "make"),
    row("nix-shell nix-build", "shell.nix default.nix", "recipe"),
    row("lein", "project.clj", "lisp"),
    row("clj clojure", "deps.edn", "lisp"),
    row("golangci-lint", ".golangci.yml .golangci.yaml .golangci.toml", "recipe"),
    row("bazel bazelisk", "tools/bazel", "shell").when(Obeyed::Always),
    row("bazel bazelisk", ".bazelrc", "recipe").on_disk(OnDisk::Names),
    row("hg", ".hg/hgrc", "recipe").when(Obeyed::Always),
    row("jj", ".jj/repo/config.toml", "recipe").when(Obeyed::Always),
    row("shellspec", "spec/*_spec.sh", "shell"),
    row("mise", ".mise/config.toml mise.local.toml", "recipe"),
    row("pip pip3 uv build poetry", "pyproject.toml", "recipe").on_disk(OnDisk::Names),
    row("pylint", ".pylintrc pylintrc", "recipe"),
    row("run-parts", "{}/*", ""),
];
