import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import { benchFolder } from './fixtures.js';

const PAGE = new URL('../../docs/explanation/scale.md', import.meta.url);
const MARKS = ['<!-- figures -->', '<!-- end of figures -->'];

/** What a figure may grow by when there are ten times as many rows. */
const MAX_GROWTH = 1.5;

/** Milliseconds below which a difference is noise. */
const NOISE_MS = 3;

/**
 * Milliseconds of one request at one scale.
 * @typedef {{ first: number, p50: number, p99: number, fastest: number }} Figure
 * @typedef {Record<string, Record<string, Figure>>} Results by the name of the scale, then of the request
 */

/**
 * Keeps the figures of a scale beside those of others in the folder of the benchmarks, and writes the
 * page with all of them.
 * @param {string} scale
 * @param {Record<string, Figure>} figures
 * @returns {Promise<string[]>} the requests that grow too much
 */
export async function report(scale, figures) {
  const file = join(await benchFolder(), 'scale-figures.json');
  /** @type {Results} */
  const known = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const named = Object.entries(figures).map(([name, figure]) => [shortened(name), figure]);
  const results = { ...known, [scale]: Object.fromEntries(named) };
  await writeFile(file, JSON.stringify(results));
  const scales = ['10k', '100k', '1m', '10m'].filter((name) => name in results);
  const rows = rowsOf(results, scales);
  const page = await readFile(PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(MARKS[0] ?? '');
  const [, after = ''] = rest.split(MARKS[1] ?? '');
  const content = `${chart(rows, scales)}\n\n${table(rows, scales)}`;
  const text = `${before}${MARKS[0]}\n\n${content}\n\n${MARKS[1]}${after}`;
  const settings = await prettier.resolveConfig(fileURLToPath(PAGE));
  await writeFile(PAGE, await prettier.format(text, { ...settings, parser: 'markdown' }));
  return rows
    .filter(({ growth }) => growth > MAX_GROWTH)
    .map(({ path, growth }) => `${growth.toFixed(1)}: ${path}`);
}

/**
 * @typedef {object} Row
 * @property {string} path
 * @property {string} asker who waits for it the longest at the largest scale
 * @property {(Figure | undefined)[]} figures of that asker by scale
 * @property {number} growth of the fastest answer from one scale to the next, the largest of all askers
 */

/**
 * @param {Results} results
 * @param {string[]} scales
 * @returns {Row[]}
 */
function rowsOf(results, scales) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  const names = new Set(scales.flatMap((scale) => Object.keys(results[scale] ?? {})));
  for (const name of names) {
    const [asker = '', path = ''] = name.split(/ (.+)/);
    const figures = scales.map((scale) => results[scale]?.[name]);
    const growth = growthOf(figures.map((figure) => figure?.fastest));
    const known = rows.get(path);
    const isSlower = (figures.at(-1)?.p50 ?? 0) > (known?.figures.at(-1)?.p50 ?? -1);
    const shown = known === undefined || isSlower ? { path, asker, figures } : known;
    rows.set(path, { ...shown, growth: Math.max(growth, known?.growth ?? 1) });
  }
  return [...rows.values()];
}

/**
 * Of the fastest answers, which other programs of the machine disturb least.
 * @param {(number | undefined)[]} fastest
 */
function growthOf(fastest) {
  const steps = fastest.map((to, index) => {
    const from = index === 0 ? undefined : fastest[index - 1];
    if (from === undefined || to === undefined || to - from < NOISE_MS) return 1;
    return to / from;
  });
  return Math.max(1, ...steps);
}

/**
 * @param {Row[]} rows
 * @param {string[]} scales
 */
function table(rows, scales) {
  const head = ['Request', 'By', ...scales, 'Growth'];
  const lines = rows.map(({ path, asker, figures, growth }) => {
    const cells = figures.map((figure) =>
      figure ? [figure.first, figure.p50, figure.p99].map(rounded).join(' / ') : '',
    );
    return [`\`${path}\``, asker, ...cells, growth.toFixed(1)];
  });
  const rule = head.map((_, index) => (index < 2 ? '---' : '---:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * The same name at every scale, whose ids and cursors differ.
 * @param {string} name
 */
function shortened(name) {
  return name
    .replace(/cursor=[\w-]+/, 'cursor=…')
    .replaceAll(/(?<=before=)\d+/g, '…')
    .replace('/api/v4/', 'GET /')
    .replace(/(?<= )\/group-1\/group-2\/[\w-]+/, '/:project')
    .replace(/(?<=\/(projects|groups|users|errors)\/)\d+/g, ':id')
    .replace('/groups/group-1', '/groups/:group');
}

/** @param {number} value */
function rounded(value) {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 320, 60, 30];
const DECADES = [1, 10, 100, 1_000, 10_000];

/**
 * A line for the median of each request, the text color of the page for all of them.
 * @param {Row[]} rows
 * @param {string[]} scales
 */
function chart(rows, scales) {
  const x = (/** @type {number} */ index) =>
    LEFT + ((WIDTH - LEFT - 20) * index) / Math.max(1, scales.length - 1);
  const y = (/** @type {number} */ ms) =>
    HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - 10) * Math.log10(Math.max(1, ms))) / 4;
  const lines = rows.map(({ figures }) => {
    const points = figures.flatMap((figure, index) =>
      figure ? [`${x(index).toFixed(0)},${y(figure.p50).toFixed(1)}`] : [],
    );
    return `<polyline points="${points.join(' ')}" fill="none" stroke="currentColor" stroke-opacity="0.15"/>`;
  });
  const marks = [
    ...DECADES.map(
      (ms) => `<text x="${LEFT - 8}" y="${y(ms) + 4}" text-anchor="end">${ms} ms</text>`,
    ),
    ...scales.map(
      (name, index) =>
        `<text x="${x(index)}" y="${HEIGHT - 8}" text-anchor="middle">${name}</text>`,
    ),
  ];
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Median of each request by the number of events" font-size="12" fill="currentColor">`,
    ...marks,
    ...lines,
    '</svg>',
  ].join('\n');
}
