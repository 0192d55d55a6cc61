import type { ProjectRow } from '../projects/projects.repository.js';
import type { SpamSender } from '../spam/submission.js';

/** Merge request options of a push: `git push -o merge_request.<name>[=<value>]`. */
export interface MergeRequestOptions {
  create: boolean;
  target: string | null;
  title: string | null;
  description: string | null;
  labels: string[];
  unlabels: string[];
  /** Usernames or IDs. */
  assignees: string[];
  unassigned: string[];
  draft: boolean;
  removesSourceBranch: boolean;
  waitsForPipeline: boolean;
}

/** A pushed branch with its options. */
export interface PushedBranch {
  project: ProjectRow;
  sender: SpamSender;
  branch: string;
  options: MergeRequestOptions;
}

const OPTION = /^(?:merge_request|mr)\.([a-z_]+)(?:=(.*))?$/s;

/** Parsers by option; `mr.` is short for `merge_request.`, as in v4. */
const READERS: Record<string, (value: string, options: MergeRequestOptions) => void> = {
  create: (_, options) => void (options.create = true),
  target: (value, options) => void (options.target = value || null),
  title: (value, options) => void (options.title = value || null),
  // Push options cannot contain line breaks, so `\n` stands for one.
  description: (value, options) => void (options.description = value.replaceAll('\\n', '\n')),
  label: (value, options) => void options.labels.push(value),
  unlabel: (value, options) => void options.unlabels.push(value),
  assign: (value, options) => void options.assignees.push(value),
  unassign: (value, options) => void options.unassigned.push(value),
  draft: (_, options) => void (options.draft = true),
  remove_source_branch: (_, options) => void (options.removesSourceBranch = true),
  merge_when_pipeline_succeeds: (_, options) => void (options.waitsForPipeline = true),
  auto_merge: (_, options) => void (options.waitsForPipeline = true),
};

/** Returns null without merge request options; unknown ones are ignored. */
export function readMergeRequestOptions(texts: readonly string[]): MergeRequestOptions | null {
  const options: MergeRequestOptions = {
    create: false,
    target: null,
    title: null,
    description: null,
    labels: [],
    unlabels: [],
    assignees: [],
    unassigned: [],
    draft: false,
    removesSourceBranch: false,
    waitsForPipeline: false,
  };
  let isAbout = false;
  for (const text of texts) {
    const [, name = '', value = ''] = OPTION.exec(text) ?? [];
    if (!Object.hasOwn(READERS, name)) continue;
    READERS[name]?.(value, options);
    isAbout = true;
  }
  return isAbout ? options : null;
}
