# Never run: there is no Homebrew where releases are made. A test checks its shape.
class Doorward < Formula
  desc "Door that every tool call of an AI agent passes through"
  homepage "https://example.com/doorward"
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license any_of: ["Apache-2.0", "MIT"]

  depends_on :linux

  def install
    bin.install "bin/doorward", "bin/doorward-thin"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/doorward"
    zsh_completion.install "share/zsh/site-functions/_doorward"
    fish_completion.install "share/fish/vendor_completions.d/doorward.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/doorward --version")
  end
end
