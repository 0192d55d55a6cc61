import type { AdvancedSettings, JobOptions } from 'bull';

/** Names of the queues; a job only announces work, the rows in the database are the truth. */
export const QUEUES = {
  storageMoves: 'storage-moves',
  deletions: 'deletions',
  mails: 'mails',
  alerts: 'alerts',
  notifications: 'notifications',
  autoMerges: 'auto-merges',
} as const;

export type QueueName = (typeof QUEUES)[keyof typeof QUEUES];

/** Names of the jobs of each queue, which the board shows. */
export const JOB_NAMES: Readonly<Record<QueueName, string>> = {
  'storage-moves': 'move-repository',
  deletions: 'delete-container',
  mails: 'send-mails',
  alerts: 'alert-reactions',
  notifications: 'write-emails',
  'auto-merges': 'merge-due',
};

/** `move-repository`: a move can run; without data, some moves can. */
export interface MoveRepositoryJob {
  kind: 'project' | 'snippet' | 'group';
  id: number;
}

/** `delete-container`: a project, group or snippet is marked for deletion. */
export interface DeleteContainerJob {
  kind: 'project' | 'group' | 'snippet';
  id: number;
}

/** Data of jobs that name their row; the others carry none. */
export interface JobData {
  'storage-moves': MoveRepositoryJob;
  deletions: DeleteContainerJob;
}

/** Thrown by the handler of a job that Bull retries after a wait. */
export class RetryLaterError extends Error {
  constructor(
    message: string,
    readonly waitMs: number,
  ) {
    super(message);
  }
}

/** Backoff of jobs whose errors tell the wait. */
const BACKOFF_BY_ERROR = 'by-error';
const DEFAULT_BACKOFF_MS = 1_000;

/** Settings of every queue. */
export const QUEUE_SETTINGS: AdvancedSettings = {
  // Wait of a processor after an error of Redis, such as a job that was lost while it ran.
  retryProcessDelay: 1_000,
  backoffStrategies: {
    [BACKOFF_BY_ERROR]: (_attempts, error: unknown) =>
      error instanceof RetryLaterError ? error.waitMs : DEFAULT_BACKOFF_MS,
  },
};

/** Finished jobs are removed immediately; the latest failed ones are kept for inspection. */
const DEFAULT_JOB_OPTIONS: JobOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 1_000 },
  removeOnComplete: true,
  removeOnFail: 1_000,
};

/** Default options of the jobs of each queue. */
export const JOB_OPTIONS: Readonly<Record<QueueName, JobOptions>> = {
  // The row counts all attempts of a move and ends them earlier.
  'storage-moves': {
    ...DEFAULT_JOB_OPTIONS,
    attempts: 10,
    backoff: { type: BACKOFF_BY_ERROR },
  },
  deletions: DEFAULT_JOB_OPTIONS,
  mails: DEFAULT_JOB_OPTIONS,
  alerts: DEFAULT_JOB_OPTIONS,
  notifications: DEFAULT_JOB_OPTIONS,
  'auto-merges': DEFAULT_JOB_OPTIONS,
};
