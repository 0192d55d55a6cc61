import { InvalidParamsError, ValidationFailedError } from '../../core/errors.js';

const MAX_TITLE_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 1_048_576;
const MAX_LABELS = 100;
const MAX_LABEL_LENGTH = 255;

/** The largest number that v4 clients support. */
const MAX_CHOSEN = 2_147_483_647;

/** Returns true for a title that is neither empty nor too long. */
export function isTitle(text: string): boolean {
  return text !== '' && text.length <= MAX_TITLE_LENGTH;
}

/** Throws 400 for texts that are too long (API doc, Errors 2). */
export function assertLengths(texts: { title?: string | null; description?: string | null }): void {
  const messages = {
    ...tooLong('title', texts.title, MAX_TITLE_LENGTH),
    ...tooLong('description', texts.description, MAX_DESCRIPTION_LENGTH),
  };
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
}

function tooLong(
  name: string,
  text: string | null | undefined,
  maximum: number,
): Record<string, string[]> {
  if (!text || text.length <= maximum) return {};
  return { [name]: [`is too long (maximum is ${maximum} characters)`] };
}

/** Assignees of a request; the single one is deprecated. */
interface GivenAssignees {
  assignee_ids?: readonly number[] | null;
  assignee_id?: number | null;
}

/** Returns the requested assignees; undefined when the request does not name any. */
export function wantedAssignees({
  assignee_ids,
  assignee_id,
}: GivenAssignees): number[] | undefined {
  if (assignee_ids !== undefined || assignee_id === undefined) return wantedIds(assignee_ids);
  return wantedIds(assignee_id === null ? null : [assignee_id]);
}

/** Returns the user IDs of a request without 0, which stands for none; undefined if not given. */
export function wantedIds(given: readonly number[] | null | undefined): number[] | undefined {
  return given === undefined ? undefined : (given ?? []).filter((id) => id !== 0);
}

/** Throws InvalidParamsError for a number that no issue can have. */
export function assertUsableNumber(chosen: number | null): void {
  if (chosen !== null && chosen > MAX_CHOSEN) {
    throw new InvalidParamsError(['iid has a value not allowed']);
  }
}

/** Changes of labels in a request; absent ones change nothing. */
export interface LabelChanges {
  labels?: readonly string[] | null;
  add_labels?: readonly string[] | null;
  remove_labels?: readonly string[] | null;
}

/**
 * Returns the label names of a request, trimmed, unique and sorted. An item of a list can be a list
 * with commas again, as v4 clients send it. Throws 400 for names that are too long.
 */
export function labelNames(given: readonly string[] | null | undefined): string[] {
  const names = (given ?? []).flatMap((item) => item.split(',')).map((name) => name.trim());
  if (names.some((name) => name.length > MAX_LABEL_LENGTH)) {
    throw labelError(`is too long (maximum is ${MAX_LABEL_LENGTH} characters)`);
  }
  return sorted(names.filter((name) => name !== ''));
}

/** Returns the labels after a change; throws 400 for more than an issue can have. */
export function changedLabels(before: readonly string[], changes: LabelChanges): string[] {
  const base = changes.labels === undefined ? before : labelNames(changes.labels);
  const removed = new Set(labelNames(changes.remove_labels));
  const kept = [...base, ...labelNames(changes.add_labels)].filter((name) => !removed.has(name));
  const labels = sorted(kept);
  if (labels.length > MAX_LABELS) throw labelError(`are too many (maximum is ${MAX_LABELS})`);
  return labels;
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function labelError(problem: string): ValidationFailedError {
  return new ValidationFailedError({ labels: [problem] });
}
