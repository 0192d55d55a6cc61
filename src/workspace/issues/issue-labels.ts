import { ValidationFailedError } from '../../core/errors.js';

const MAX_LABELS = 100;
const MAX_LABEL_LENGTH = 255;

/** Changes of labels as requests spell them; what is absent changes nothing. */
interface LabelChanges {
  labels?: readonly string[] | null;
  add_labels?: readonly string[] | null;
  remove_labels?: readonly string[] | null;
}

/**
 * Label names of a request, each once, sorted: trimmed, blank ones left out. An item of a list can
 * be a list with commas again, as v4 clients send it. Throws 400 for names that are too long.
 */
export function labelNames(given: readonly string[] | null | undefined): string[] {
  const names = (given ?? []).flatMap((item) => item.split(',')).map((name) => name.trim());
  if (names.some((name) => name.length > MAX_LABEL_LENGTH)) {
    throw refusal(`is too long (maximum is ${MAX_LABEL_LENGTH} characters)`);
  }
  return sorted(names.filter((name) => name !== ''));
}

/** The labels of an issue after a change; 400 for more than an issue can bear. */
export function changedLabels(before: readonly string[], changes: LabelChanges): string[] {
  const base = changes.labels === undefined ? before : labelNames(changes.labels);
  const removed = new Set(labelNames(changes.remove_labels));
  const kept = [...base, ...labelNames(changes.add_labels)].filter((name) => !removed.has(name));
  const labels = sorted(kept);
  if (labels.length > MAX_LABELS) throw refusal(`are too many (maximum is ${MAX_LABELS})`);
  return labels;
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function refusal(problem: string): ValidationFailedError {
  return new ValidationFailedError({ labels: [problem] });
}
