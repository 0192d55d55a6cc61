import { headBranch } from '../git-repository.js';
import { BRANCH_PREFIX, isObjectId, isValidReferenceName, TAG_PREFIX } from '../reference-name.js';
import { readStoredReferences } from '../reference-reader.js';
import { readGit, runGitCached } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

/** A commit and what it was called by. */
export interface Revision {
  oid: string;
  kind: 'branch' | 'tag' | 'commit';
  /** Short name of the branch or tag; the object id of a commit. */
  name: string;
}

type NamedKind = Exclude<Revision['kind'], 'commit'>;

const PREFIXES: Record<NamedKind, string> = { branch: BRANCH_PREFIX, tag: TAG_PREFIX };
const AS_COMMIT = '^{commit}';
const SHORT_ID = /^[0-9a-f]{7,64}$/;
/** Refs are not nested deeper than this; a path can be. */
const MAX_REF_SEGMENTS = 16;

/**
 * Returns the commit of a name: a branch, else a tag, else a commit by its ID or at least seven
 * digits of it; `HEAD` is its branch. null for anything else, so that neither options nor git's
 * revision syntax can be used.
 */
export async function resolveRevision(
  repository: OpenRepository,
  text: string,
): Promise<Revision | null> {
  if (text === 'HEAD') return resolveHead(repository);
  if (!isNameLike(text)) return null;
  // A branch must not stand in for a commit whose whole id it is called (CVE-2020-13293).
  const branch = isObjectId(text) ? null : await findStoredBranch(repository, text);
  if (branch !== null) return branch;
  return firstOf(repository, candidatesFor(text));
}

/**
 * Splits `feature/x/src/a.ts` into a revision and a path: the longest name that exists wins. null
 * when no beginning of the text names a commit.
 */
export async function splitRefAndPath(
  repository: OpenRepository,
  text: string,
): Promise<{ ref: string; oid: string; path: string; revision: Revision } | null> {
  const segments = text.split('/');
  const lengths = Array.from({ length: Math.min(segments.length, MAX_REF_SEGMENTS) }, (_, n) => n);
  const names = lengths.map((n) => segments.slice(0, n + 1).join('/')).reverse();
  const usable = names.filter((name) => name !== 'HEAD' && isNameLike(name));
  const found =
    (await storedBranchAmong(repository, usable)) ?? (await firstAsked(repository, usable));
  const isHead = found === undefined && segments[0] === 'HEAD';
  const revision = isHead ? await resolveHead(repository) : found;
  if (revision === null || revision === undefined) return null;
  const ref = isHead ? 'HEAD' : (found?.asked ?? '');
  const path = text.slice(ref.length + 1).replace(/(?<!\/)\/+$/, '');
  const { oid, kind, name } = revision;
  return { ref, oid, path, revision: { oid, kind, name } };
}

type AskedRevision = Revision & { asked: string };

/** The usual case without a git process: no tag, ID or full name of a ref can be meant. */
async function storedBranchAmong(
  repository: OpenRepository,
  names: readonly string[],
): Promise<AskedRevision | null> {
  if (names.some((name) => isObjectId(name) || name.startsWith('refs/'))) return null;
  const refs = names.flatMap((name) => [BRANCH_PREFIX + name, TAG_PREFIX + name]);
  const stored = await readStoredReferences(repository.path, refs);
  if (stored === null) return null;
  const oids = new Map(stored.references.map(({ name, oid }) => [name, oid]));
  for (const name of names) {
    const oid = oids.get(BRANCH_PREFIX + name);
    if (oid !== undefined) return { oid, kind: 'branch', name, asked: name };
    if (oids.has(TAG_PREFIX + name)) return null;
  }
  return null;
}

async function firstAsked(
  repository: OpenRepository,
  names: readonly string[],
): Promise<AskedRevision | undefined> {
  const [found] = await resolveCandidates(repository, names.flatMap(candidatesFor));
  return found;
}

interface Candidate {
  kind: Revision['kind'];
  /** Name as requested. */
  asked: string;
  /** Expression for git. */
  expression: string;
}

async function resolveHead(repository: OpenRepository): Promise<Revision | null> {
  const branch = await headBranch(repository.path);
  if (branch !== null) return isNameLike(branch) ? findBranch(repository, branch) : null;
  return firstOf(repository, [committed('HEAD')]);
}

async function findBranch(repository: OpenRepository, name: string): Promise<Revision | null> {
  const stored = await findStoredBranch(repository, name);
  if (stored !== null) return stored;
  return firstOf(repository, [named('branch', name, name)]);
}

/** The usual case without a git process: a branch always names a commit. */
async function findStoredBranch(
  repository: OpenRepository,
  name: string,
): Promise<Revision | null> {
  const ref = `${BRANCH_PREFIX}${name}`;
  const stored = await readStoredReferences(repository.path, [ref]);
  const found = stored?.references.find((reference) => reference.name === ref);
  return found === undefined ? null : { oid: found.oid, kind: 'branch', name };
}

function candidatesFor(text: string): Candidate[] {
  if (isObjectId(text)) return [committed(text)];
  const candidates = (['branch', 'tag'] as const).map((kind) => named(kind, text, text));
  for (const kind of ['branch', 'tag'] as const) {
    const prefix = PREFIXES[kind];
    if (text.startsWith(prefix)) candidates.push(named(kind, text.slice(prefix.length), text));
  }
  return SHORT_ID.test(text) ? [...candidates, committed(text)] : candidates;
}

function committed(text: string): Candidate {
  return { kind: 'commit', asked: text, expression: `${text}${AS_COMMIT}` };
}

function named(kind: NamedKind, name: string, asked: string): Candidate {
  return { kind, asked, expression: `${PREFIXES[kind]}${name}${AS_COMMIT}` };
}

async function firstOf(
  repository: OpenRepository,
  candidates: readonly Candidate[],
): Promise<Revision | null> {
  const [found] = await resolveCandidates(repository, candidates);
  return found === undefined ? null : { oid: found.oid, kind: found.kind, name: found.name };
}

/** Returns the existing ones, in the requested order, by one git process. */
async function resolveCandidates(
  repository: OpenRepository,
  candidates: readonly Candidate[],
): Promise<AskedRevision[]> {
  const [only] = candidates;
  if (only === undefined) return [];
  if (candidates.length === 1 && isObjectId(only.asked)) return resolveObject(repository, only);
  const input = candidates.map(({ expression }) => `${expression}\n`).join('');
  const output = await readGit(repository, ['cat-file', '--batch-check=%(objectname)'], { input });
  const answers = output.split('\n');
  return candidates.flatMap((candidate, at) => {
    const oid = answers[at] ?? '';
    if (!isObjectId(oid)) return [];
    const { kind, asked, expression } = candidate;
    const name = kind === 'commit' ? oid : nameIn(expression, PREFIXES[kind]);
    return [{ oid, kind, name, asked }];
  });
}

/** The commit of an object ID, which stays the same. */
async function resolveObject(
  repository: OpenRepository,
  { kind, asked, expression }: Candidate,
): Promise<AskedRevision[]> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', expression];
  const { code, stdout } = await runGitCached(repository, args);
  const oid = stdout.toString('ascii').trim();
  return code === 0 && isObjectId(oid) ? [{ oid, kind, name: oid, asked }] : [];
}

function nameIn(expression: string, prefix: string): string {
  return expression.slice(prefix.length, -AS_COMMIT.length);
}

/**
 * Returns true if git allows a branch of this name: no space, no `~ ^ : ? * [ \`, no `..`, no `@{`.
 */
function isNameLike(text: string): boolean {
  return text !== '' && isValidReferenceName(`${BRANCH_PREFIX}${text}`);
}
