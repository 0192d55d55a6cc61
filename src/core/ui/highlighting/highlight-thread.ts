// Runs in a thread of its own: patterns of languages can take long on unusual text.
import { parentPort } from 'node:worker_threads';
import hljs from 'highlight.js/lib/common';
import clojure from 'highlight.js/lib/languages/clojure';
import cmake from 'highlight.js/lib/languages/cmake';
import dart from 'highlight.js/lib/languages/dart';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import erlang from 'highlight.js/lib/languages/erlang';
import groovy from 'highlight.js/lib/languages/groovy';
import haskell from 'highlight.js/lib/languages/haskell';
import nginx from 'highlight.js/lib/languages/nginx';
import powershell from 'highlight.js/lib/languages/powershell';
import protobuf from 'highlight.js/lib/languages/protobuf';
import scala from 'highlight.js/lib/languages/scala';
import { splitLines, type HighlightJob, type HighlightResult } from './highlight-job.js';

const MORE = {
  ...{ clojure, cmake, dart, dockerfile, elixir, erlang, groovy, haskell, nginx, powershell },
  ...{ protobuf, scala },
};
/** Languages of extensions and whole file names that the library does not know as aliases. */
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['bash_profile', 'bash'],
  ['bashrc', 'bash'],
  ['conf', 'nginx'],
  ['containerfile', 'dockerfile'],
  ['gemfile', 'ruby'],
  ['htm', 'html'],
  ['jenkinsfile', 'groovy'],
  ['proto', 'protobuf'],
  ['rakefile', 'ruby'],
  ['sbt', 'scala'],
  ['webmanifest', 'json'],
]);

for (const [name, language] of Object.entries(MORE)) hljs.registerLanguage(name, language);
hljs.configure({ classPrefix: 'h-' });

parentPort?.on('message', ({ texts, hint }: HighlightJob) => {
  const language = languageOf(hint);
  const lines = language === null ? null : texts.map((text) => highlight(text, language));
  const result: HighlightResult = { lines };
  parentPort?.postMessage(result);
});
parentPort?.postMessage('ready');

function highlight(text: string, language: string): string[] {
  return splitLines(hljs.highlight(text, { language, ignoreIllegals: true }).value);
}

/** The language by its name, by the name of a file or by its extension; null when none is known. */
function languageOf(hint: string): string | null {
  const name = (hint.split('/').at(-1) ?? '').toLowerCase();
  const candidates = [name, name.split('.').at(-1) ?? ''];
  return (
    candidates.map((one) => BY_NAME.get(one) ?? one).find((one) => hljs.getLanguage(one)) ?? null
  );
}
