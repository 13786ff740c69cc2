// Says what a test lacks: on standard error, and in the file that DOORWARD_LACKING names, which `cargo xtask test` lists
// at its end and which fails it where DOORWARD_REQUIRE=all is set.
import { appendFileSync } from "node:fs";

export function lacking(what) {
  const place = `console/test/${process.argv[1]?.split("/").pop() ?? "?"}`;
  console.error(`SKIPPED ${place}: ${what}`);
  const file = process.env.DOORWARD_LACKING;
  if (file) appendFileSync(file, `tool\t${place}\t${what.replaceAll(/[\t\n]/g, " ")}\n`);
}
