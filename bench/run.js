import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { buildWhenStale } from '../deploy/local/build.js';
import { runMain, Refusal } from '../deploy/local/refusal.js';

/**
 * One measured figure beside what it is held against; `ratio` and `target` in the same sense.
 * @typedef {object} BenchRow
 * @property {string} name what was measured
 * @property {string} metric unit of `ours` and `peer`
 * @property {number} ours
 * @property {number} peer the floor or competitor, measured in the same run
 * @property {string} peerName
 * @property {number} ratio ours / peer
 * @property {string} target such as `>= 0.85` or `<= 0.5`
 *
 * @typedef {{ run: () => Promise<BenchRow[]> }} Bench
 */

/** @type {Record<string, () => Promise<Bench>>} */
const BENCHES = {
  'alert-ingest': () => import('./alert-ingest.js'),
  'alert-list': () => import('./alert-list.js'),
  'api-commit': () => import('./api-commit.js'),
  'code-reading': () => import('./code-reading.js'),
  'error-ingest': () => import('./error-ingest.js'),
  'error-list': () => import('./error-list.js'),
  'event-recording': () => import('./event-recording.js'),
  'event-list': () => import('./event-list.js'),
  'event-depth': () => import('./event-depth.js'),
  'framework-tax': () => import('./framework-tax.js'),
  'mail-fan-out': () => import('./mail-fan-out.js'),
  merge: () => import('./merge.js'),
  'token-check': () => import('./token-check.js'),
  'oauth-tokens': () => import('./oauth-tokens.js'),
  'password-login': () => import('./password-login.js'),
  'repository-move': () => import('./repository-move.js'),
  'bulk-move': () => import('./bulk-move.js'),
  clone: () => import('./clone.js'),
  'list-refs': () => import('./list-refs.js'),
  pages: () => import('./pages.js'),
  footprint: () => import('./footprint.js'),
  lists: () => import('./lists.js'),
  'web-processes': () => import('./web-processes.js'),
};

const REPORT = new URL('results.md', import.meta.url);
const HEAD = [
  '| Measured | Unit | Guildhall | Beside | Ratio | Target | Met | Node |',
  '|---|---|---|---|---|---|---|---|',
];

/**
 * `npm run bench [name …]`: measures, prints a table of ratios, and writes bench/results.md, where
 * what was not measured this time stays as it is. A bench that fails does not keep the others from
 * running.
 */
async function main() {
  const names = process.argv.slice(2);
  if (names.includes('--scale')) {
    await buildWhenStale();
    await (await import('./scale.js')).runScale(names);
    return 0;
  }
  const unknown = names.filter((name) => !(name in BENCHES));
  if (unknown.length > 0) {
    const known = Object.keys(BENCHES).join(', ');
    throw new Refusal(`no benchmark named ${unknown.join(', ')}; there are: ${known}`);
  }
  await buildWhenStale();
  /** @type {string[]} */
  const lines = [];
  let failures = 0;
  for (const [name, load] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n# ${name}`);
    try {
      const bench = await load();
      const fresh = toLines(await bench.run());
      lines.push(...fresh);
      await writeFile(REPORT, toReport(merged(await readFile(REPORT, 'utf8'), fresh)));
    } catch (error) {
      console.error(error);
      failures += 1;
    }
  }
  console.log(`\n${[...HEAD, ...lines].join('\n')}`);
  return failures === 0 ? 0 : 1;
}

/**
 * The lines of the report: new ones in place of those that measured the same beside the same.
 * @param {string} report
 * @param {string[]} lines
 */
function merged(report, lines) {
  /** @param {string} line */
  const key = (line) => {
    const [, name, , , peer = ''] = line.split('|');
    return `${name}${peer.replace(/^ [^(]*/, '')}`;
  };
  const old = report.split('\n').filter((line) => line.startsWith('| ') && line !== HEAD[0]);
  const fresh = new Map(lines.map((line) => [key(line), line]));
  const kept = old.map((line) => fresh.get(key(line)) ?? line);
  const known = new Set(old.map(key));
  return [...kept, ...lines.filter((line) => !known.has(key(line)))];
}

/** @param {BenchRow[]} rows */
function toLines(rows) {
  return rows.map((row) => {
    const peer = `${format(row.peer)} (${row.peerName})`;
    const met = meets(row) ? 'yes' : 'no';
    return `| ${row.name} | ${row.metric} | ${format(row.ours)} | ${peer} | ${row.ratio.toFixed(2)} | ${row.target} | ${met} | ${process.versions.node} |`;
  });
}

/** @param {BenchRow} row */
function meets({ ratio, target }) {
  const [sense = '', bound = ''] = target.split(' ');
  return sense === '>=' ? ratio >= Number(bound) : ratio <= Number(bound);
}

/** @param {number} value */
function format(value) {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

/** @param {string[]} lines */
function toReport(lines) {
  return `# Benchmarks

Written by \`npm run bench\`. Each row compares two things measured in turn in one run on one
machine (${cpus().length} cores, the Node of the last column); absolute figures do not travel, ratios mostly do.

${[...HEAD, ...lines].join('\n')}
`;
}

await runMain(main);
