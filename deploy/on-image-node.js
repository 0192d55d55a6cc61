import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute } from 'node:path';
import { runInForeground } from './local/foreground.js';
import { imageNodeProgram } from './local/node-program.js';
import { Refusal, runMain } from './local/refusal.js';

/**
 * `node deploy/on-image-node.js <script> [argument …]`: runs the script on the Node that the image
 * has, or on the program that NODE_PROGRAM names, and takes its exit code.
 */
async function main() {
  const node = process.env.NODE_PROGRAM || imageNodeProgram();
  if (!isAbsolute(node) || !existsSync(node)) {
    throw new Refusal('NODE_PROGRAM must be the absolute path of a Node program');
  }
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  return runInForeground(node, process.argv.slice(2), { env: { ...process.env, PATH } });
}

await runMain(main);
