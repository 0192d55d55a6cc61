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

/** Texts of one language for the thread that highlights. */
export interface HighlightJob {
  texts: readonly string[];
  /** Name of the language or of a file. */
  hint: string;
}

export interface HighlightResult {
  /** HTML of each text's lines; null when the language is unknown. */
  lines: string[][] | null;
}

const TAG = /<span[^>]*>|<\/span>/g;

/** Splits highlighted HTML into lines, each of which closes the elements that it opens. */
function splitLines(html: string): string[] {
  const open: string[] = [];
  return html.split('\n').map((line) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(TAG)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    return `${before}${line}${'</span>'.repeat(open.length)}`;
  });
}

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
