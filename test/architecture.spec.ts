import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Floors of the folders of src/. A folder imports only from lower floors, never from a neighbour on
 * its own. Settings lie below everything: core reads them, they know nothing.
 */
const FLOORS: Record<string, number> = {
  config: -1,
  core: 0,
  git: 1,
  identity: 2,
  workspace: 3,
  code: 4,
  oauth: 5,
  alerts: 5,
  'storage-moves': 5,
  notifications: 5,
  events: 5,
  'error-tracking': 5,
  instance: 6,
};

/** Floors of the features within the folders that group them. */
const FEATURES: Record<string, Record<string, number>> = {
  identity: { users: 1, members: 2, tokens: 2, auth: 3, account: 4 },
  workspace: {
    groups: 1,
    mentions: 1,
    spam: 1,
    projects: 2,
    notes: 3,
    subscriptions: 2,
    snippets: 4,
    milestones: 3,
    labels: 3,
    environments: 3,
    'resource-tokens': 3,
    issues: 5,
  },
  code: { repository: 1, 'commit-statuses': 2, 'merge-requests': 3, 'git-http': 3 },
  instance: {
    settings: 1,
    audit: 1,
    frame: 1,
    todos: 1,
    admin: 2,
    'background-jobs': 2,
    dashboard: 2,
    references: 2,
    search: 2,
  },
};

/**
 * Tables of the same or a higher floor that a feature's statements name, where a statement of its
 * own decides more than the owner's repository could: visibility, deletion, locks in a fixed order.
 */
const TABLES_ABOVE: Record<string, readonly string[]> = {
  alerts: ['notification_settings'],
  'code/repository': ['commit_statuses', 'merge_requests', 'pipelines'],
  core: ['alerts', 'projects'],
  git: ['groups', 'projects', 'snippets'],
  'identity/members': ['access_tokens', 'projects'],
  'identity/tokens': ['members', 'oauth_applications'],
  'identity/users': [
    'access_tokens',
    'group_repository_storage_moves',
    'groups',
    'members',
    'project_repository_storage_moves',
    'projects',
    'snippet_repository_storage_moves',
    'snippets',
  ],
  'workspace/environments': ['alerts', 'error_tags', 'errors'],
  'workspace/groups': ['projects'],
  'workspace/labels': ['issue_assignees'],
  'workspace/milestones': ['issues', 'merge_requests'],
  'workspace/projects': [
    'issues',
    'project_repository_storage_moves',
    'snippet_repository_storage_moves',
    'snippets',
  ],
  'workspace/snippets': ['snippet_repository_storage_moves'],
  'workspace/subscriptions': [
    'issue_assignees',
    'merge_request_people',
    'notes',
    'notification_settings',
    'projects',
  ],
};

/** Repositories over the tables of several aggregates; all others extend the one of their entity. */
const WITHOUT_ENTITY: readonly string[] = [
  'AdminStatsRepository',
  'CodeRepository',
  'ContainersRepository',
  'FrameRepository',
  'GitTargetsRepository',
  'HomeRepository',
  'MoveLeasesRepository',
  'MoveOutcomesRepository',
  'MoveStatisticsRepository',
  'ReferencesRepository',
  'SearchRepository',
  'StorageMovesRepository',
  'WorkQueuesRepository',
];

/** Entry points below a package's own that the package documents, and one that it does not. */
const DEEP_IMPORTS: readonly string[] = [
  'highlight.js/lib/common',
  'highlight.js/lib/languages/clojure',
  'highlight.js/lib/languages/cmake',
  'highlight.js/lib/languages/dart',
  'highlight.js/lib/languages/dockerfile',
  'highlight.js/lib/languages/elixir',
  'highlight.js/lib/languages/erlang',
  'highlight.js/lib/languages/groovy',
  'highlight.js/lib/languages/haskell',
  'highlight.js/lib/languages/nginx',
  'highlight.js/lib/languages/powershell',
  'highlight.js/lib/languages/protobuf',
  'highlight.js/lib/languages/scala',
  'nodemailer/lib/addressparser',
  'nodemailer/lib/mime-funcs',
  'nodemailer/lib/qp',
  // In the instructions that a page shows for React.
  'react-dom/client',
  // Names of Nest's metadata: nothing public returns the path and the guards of a route.
  '@nestjs/common/constants.js',
];

const DEEP_IMPORT = /\bfrom '((?:@[^/']+\/)?[^@./:'\n][^/:'\n]*\/[^'\n]+)';/g;
const HAS_STATEMENT = /\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE \w+(?: \w+)?\s+SET)\b/;
const TABLE_NAME = /\b(?:FROM|JOIN|UPDATE|INTO)\s+(?:ONLY\s+)?"?([a-z_]+)/g;
/** The sample event shows a query of its program, which never runs. */
const MAY_HAVE_STATEMENTS = /\.repository\.ts$|\/sql\/|\/migrations\/|\/sample-event\.ts$/;

/** The composition root imports from everything; nothing below it imports from it. */
const COMPOSITION_ROOT = 9;
const ROOT_FOLDERS = ['database', 'cli'];

const SOURCES = resolve('src');

interface Import {
  from: string;
  to: string;
}

function sourceFiles(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(SOURCES, name));
}

/** Returns the feature of a file: a folder of src/, or one in a group; a file in src/ is its own. */
function part(path: string): string {
  const [first = '', second = ''] = relative(SOURCES, path).split(sep);
  return FEATURES[first] === undefined ? first : `${first}/${second}`;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/ .*/g, '');
}

/** Returns the floor of a feature in the house; a part of one for the floors within a group. */
function floorOf(name: string): number | undefined {
  if (ROOT_FOLDERS.includes(name) || /\.[jt]sx?$/.test(name)) return COMPOSITION_ROOT;
  const [group = '', feature] = name.split('/');
  const floor = FLOORS[group];
  if (floor === undefined || feature === undefined) return floor;
  const inner = FEATURES[group]?.[feature];
  return inner === undefined ? undefined : floor + inner / 10;
}

/** Static and dynamic imports, of types too: a type-only cycle is a cycle of understanding. */
function relativeImports(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*(?:\(\s*)?['"](\.{1,2}\/[^'"]+)['"]/g)].map(
    ([, specifier = '']) => ({ from: file, to: resolve(dirname(file), specifier) }),
  );
}

function complaint({ from, to }: Import): string | null {
  const [lower, upper] = [part(to), part(from)];
  if (lower === upper) return null;
  const [target, source] = [floorOf(lower), floorOf(upper)];
  if (target === undefined || source === undefined) return null;
  // Specs stand beside their file but may arrange with whatever they need.
  if (source === COMPOSITION_ROOT || target < source || from.endsWith('.spec.ts')) return null;
  const reason = target === source ? 'same floor' : 'upward';
  return `${relative(SOURCES, from)} (${source}) -> ${lower} (${target}): ${reason}`;
}

/** Features by the tables of their entities. */
function tableOwners(files: readonly string[]): Map<string, string> {
  const owned = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/@Entity\('(\w+)'/g)].map(
      ([, table = '']): [string, string] => [table, part(file)],
    ),
  );
  return new Map(owned);
}

/** The tables of the same or a higher floor that the statements of a file name. */
function tablesAbove(file: string, owners: ReadonlyMap<string, string>): string[] {
  const feature = part(file);
  const floor = floorOf(feature) ?? 0;
  const text = withoutComments(readFileSync(file, 'utf8'));
  return [...text.matchAll(TABLE_NAME)]
    .map(([, table = '']) => table)
    .filter((table) => {
      const owner = owners.get(table);
      return owner !== undefined && owner !== feature && (floorOf(owner) ?? 0) >= floor;
    });
}

describe('the house', () => {
  const files = sourceFiles();

  it('gives every folder of src a floor', () => {
    const parts = new Set(files.map(part));
    expect([...parts].filter((name) => floorOf(name) === undefined)).toEqual([]);
  });

  it('imports only from lower floors', () => {
    const complaints = files.flatMap(relativeImports).map(complaint);
    expect(complaints.filter((line) => line !== null)).toEqual([]);
  });

  it('imports libraries by their public entry points', () => {
    const deep = files
      .filter((file) => !file.endsWith('.spec.ts'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(DEEP_IMPORT)])
      .map(([, specifier = '']) => specifier);
    expect(deep.filter((specifier) => !DEEP_IMPORTS.includes(specifier))).toEqual([]);
    expect(DEEP_IMPORTS.filter((specifier) => !deep.includes(specifier))).toEqual([]);
  });

  it('has SQL in repositories only', () => {
    const others = files
      .filter((file) => !MAY_HAVE_STATEMENTS.test(file) && !file.endsWith('.spec.ts'))
      .filter((file) => HAS_STATEMENT.test(withoutComments(readFileSync(file, 'utf8'))));
    expect(others.map((file) => relative(SOURCES, file))).toEqual([]);
  });

  it('extends the repository of an entity, except over several aggregates', () => {
    const others = files
      .filter((file) => file.endsWith('.repository.ts'))
      .flatMap((file) => [
        ...readFileSync(file, 'utf8').matchAll(/class (\w+Repository)(?! extends Repository<)\b/g),
      ])
      .map(([, name = '']) => name);
    expect(others.sort()).toEqual(WITHOUT_ENTITY);
  });

  it('names tables of higher floors only where it is listed', () => {
    const owners = tableOwners(files);
    const found: Record<string, string[]> = {};
    for (const file of files) {
      if (file.endsWith('.spec.ts')) continue;
      const tables = tablesAbove(file, owners);
      if (tables.length > 0) found[part(file)] = [...(found[part(file)] ?? []), ...tables];
    }
    const unique = Object.entries(found).map(([feature, tables]): [string, string[]] => [
      feature,
      [...new Set(tables)].sort(),
    ]);
    expect(Object.fromEntries(unique)).toEqual(TABLES_ABOVE);
  });

  it('has no import that leaves src', () => {
    const outside = files
      .flatMap(relativeImports)
      .filter(({ to, from }) => !to.startsWith(SOURCES) && !from.endsWith('.spec.ts'));
    expect(outside.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('has no barrels and no cyclic module references', () => {
    expect(files.filter((file) => /[\\/]index\.tsx?$/.test(file))).toEqual([]);
    const forwarding = files.filter((file) => /\bforwardRef\b/.test(readFileSync(file, 'utf8')));
    expect(forwarding.map((file) => relative(SOURCES, file))).toEqual([]);
  });
});

describe('the Helm chart', () => {
  it('has the version of the program', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const chart = readFileSync('deploy/helm/Chart.yaml', 'utf8');
    expect(chart).toContain(`appVersion: ${version}\n`);
  });
});

describe('the Dockerfile', () => {
  it('takes base images by digest', () => {
    const images = readFileSync('Dockerfile', 'utf8').match(/(?<=^FROM )\S+/gm) ?? [];
    expect(images.length).toBeGreaterThan(0);
    for (const image of images) expect(image).toMatch(/^[a-z]+:[a-z\d.-]+@sha256:[0-9a-f]{64}$/);
  });

  it('has the Node release line of .nvmrc and of the tests', () => {
    const line = readFileSync('.nvmrc', 'utf8').trim();
    expect(readFileSync('Dockerfile', 'utf8')).toContain(`FROM node:${line}.`);
    const tests = readFileSync('deploy/local/node-program.js', 'utf8');
    expect(tests).toContain(`const IMAGE_LINE = ${line};`);
  });
});
