import { ForbiddenError, ValidationFailedError } from '../../core/errors.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { EnvironmentTier } from './environment.entity.js';

const MAX_LENGTH = 255;
const NAME = /^[\p{L}\p{N}_$ {}./-]+$/u;
const NAME_MESSAGE =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, " +
  "but it cannot start or end with '/'";

/** Parts of names by which v4 recognizes a tier, in their order. */
const TIER_WORDS: readonly [EnvironmentTier, readonly string[]][] = [
  ['development', ['dev', 'review', 'trunk']],
  ['testing', ['test', 'tst', 'int', 'accept', 'qa', 'qc', 'quality', 'control']],
  ['staging', ['stag', 'stg', 'pre', 'demo', 'model', 'non']],
  ['production', ['prod', 'prd', 'live']],
];

/** 403 in an archived project, which is read-only for everyone. */
export function assertTakesEnvironments(project: ProjectRow): void {
  if (project.archived) throw new ForbiddenError();
}

/** 400 with messages per attribute for what an environment cannot have (API doc, Errors 2). */
export function assertEnvironment(given: {
  name?: string | null | undefined;
  external_url?: string | null | undefined;
}): void {
  const messages = {
    ...problem('name', nameProblem(given.name)),
    ...problem('external_url', urlProblem(given.external_url)),
  };
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
}

/** Returns the tier that the name suggests, for environments without one. */
export function guessedTier(name: string): EnvironmentTier {
  const lower = name.toLowerCase();
  const known = TIER_WORDS.find(([, words]) => words.some((word) => lower.includes(word)));
  return known?.[0] ?? 'other';
}

function problem(attribute: string, text: string | null): Record<string, string[]> {
  return text === null ? {} : { [attribute]: [text] };
}

function nameProblem(name: string | null | undefined): string | null {
  if (name == null) return null;
  if (name.trim() === '') return "can't be blank";
  if (name.length > MAX_LENGTH) return tooLong();
  const isGood = NAME.test(name) && !name.startsWith('/') && !name.endsWith('/');
  return isGood ? null : NAME_MESSAGE;
}

/** It becomes a link for others, so only what browsers open without running it. */
function urlProblem(url: string | null | undefined): string | null {
  if (!url) return null;
  if (url.length > MAX_LENGTH) return tooLong();
  const isWebAddress = /^https?:\/\/[^\s]+$/i.test(url) && URL.canParse(url);
  return isWebAddress ? null : 'must be a valid URL with http or https';
}

function tooLong(): string {
  return `is too long (maximum is ${MAX_LENGTH} characters)`;
}
