import type { EmailEvent } from '../notification-values.js';

interface EventGroup {
  label: string;
  events: { name: EmailEvent; label: string }[];
}

/** The switches of the level `custom`, as people read them. */
export const EVENT_GROUPS: EventGroup[] = [
  {
    label: 'Issues and comments',
    events: [
      { name: 'new_note', label: 'New comment' },
      { name: 'new_issue', label: 'New issue' },
      { name: 'reopen_issue', label: 'Issue reopened' },
      { name: 'close_issue', label: 'Issue closed' },
      { name: 'reassign_issue', label: 'Issue assigned to others' },
      { name: 'issue_due', label: 'Issue due tomorrow' },
      { name: 'new_epic', label: 'New epic' },
    ],
  },
  {
    label: 'Merge requests',
    events: [
      { name: 'new_merge_request', label: 'New merge request' },
      { name: 'push_to_merge_request', label: 'Commits pushed' },
      { name: 'reopen_merge_request', label: 'Merge request reopened' },
      { name: 'close_merge_request', label: 'Merge request closed' },
      { name: 'reassign_merge_request', label: 'Assignees or reviewers changed' },
      { name: 'merge_merge_request', label: 'Merge request merged' },
      { name: 'merge_when_pipeline_succeeds', label: 'To be merged when its pipeline succeeds' },
    ],
  },
  {
    label: 'Projects and your pipelines',
    events: [
      { name: 'failed_pipeline', label: 'Pipeline failed' },
      { name: 'fixed_pipeline', label: 'Pipeline fixed' },
      { name: 'success_pipeline', label: 'Pipeline succeeded' },
      { name: 'moved_project', label: 'Project got another address' },
    ],
  },
];
