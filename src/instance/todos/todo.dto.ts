import { IntegerParam, TextParam } from '../../core/params/params.decorator.js';

/** Reasons of version 4; those without a feature here list nothing. */
const TODO_ACTION_FILTERS = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
  'merge_train_removed',
  'review_requested',
  'member_access_requested',
] as const;

/** Target types of version 4; those without a feature here list nothing. */
const TODO_TYPE_FILTERS = [
  'Issue',
  'MergeRequest',
  'Commit',
  'Epic',
  'DesignManagement::Design',
  'AlertManagement::Alert',
  'Project',
  'Namespace',
  'Vulnerability',
  'WikiPage::Meta',
] as const;

/** Filters of to-dos. */
export class ListTodosDto {
  /** Only to-dos with this reason. */
  @TextParam({ values: TODO_ACTION_FILTERS })
  action?: (typeof TODO_ACTION_FILTERS)[number] | null;

  /** Only to-dos that this user caused. */
  @IntegerParam()
  author_id?: number | null;

  /** Only to-dos of this project. */
  @IntegerParam()
  project_id?: number | null;

  /** Only to-dos of this group and the groups below it. */
  @IntegerParam()
  group_id?: number | null;

  /** `pending` by default. */
  @TextParam({ values: ['pending', 'done'] })
  state?: 'pending' | 'done' | null;

  /** Only to-dos about this type of target. */
  @TextParam({ values: TODO_TYPE_FILTERS })
  type?: (typeof TODO_TYPE_FILTERS)[number] | null;
}
