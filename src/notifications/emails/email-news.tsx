import type { VNode } from 'preact';
import type { NotificationKind } from '../../core/activity/notification-kinds.js';
import type { EmailFacts } from './email-facts.js';
import { Done, Due, MilestoneChanged, Opened, PeopleChanged, Pushed } from './news/item-news.js';
import { Commented, Moved, PipelineEnded } from './news/other-news.js';

type News = (facts: EmailFacts) => VNode;

const opened: News = (facts) => <Opened facts={facts} />;
const closed: News = (facts) => <Done facts={facts} what={`closed this ${facts.subject.noun}.`} />;
const reopened: News = (facts) => (
  <Done facts={facts} what={`reopened this ${facts.subject.noun}.`} />
);
const reassigned: News = (facts) => <PeopleChanged facts={facts} role="assignee" />;
const milestoneChanged: News = (facts) => <MilestoneChanged facts={facts} />;

const NEWS: Record<NotificationKind, News> = {
  new_note: (facts) => <Commented facts={facts} />,
  new_issue: opened,
  reopen_issue: reopened,
  close_issue: closed,
  reassign_issue: reassigned,
  issue_due: (facts) => <Due facts={facts} />,
  new_merge_request: opened,
  push_to_merge_request: (facts) => <Pushed facts={facts} />,
  reopen_merge_request: reopened,
  close_merge_request: closed,
  reassign_merge_request: reassigned,
  merge_merge_request: (facts) => <Done facts={facts} what={`merged ${branchesOf(facts)}.`} />,
  failed_pipeline: (facts) => <PipelineEnded facts={facts} what="has failed" />,
  fixed_pipeline: (facts) => <PipelineEnded facts={facts} what="succeeded after a failure" />,
  success_pipeline: (facts) => <PipelineEnded facts={facts} what="has succeeded" />,
  moved_project: (facts) => <Moved facts={facts} />,
  merge_when_pipeline_succeeds: (facts) => (
    <Done facts={facts} what="wants this merge request merged as soon as its pipeline succeeds." />
  ),
  change_reviewer_merge_request: (facts) => <PeopleChanged facts={facts} role="reviewer" />,
  mention_in_issue: opened,
  mention_in_merge_request: opened,
  change_milestone_issue: milestoneChanged,
  change_milestone_merge_request: milestoneChanged,
};

/** Description of the event. */
export function EmailNews({ facts }: { facts: EmailFacts }): VNode {
  return NEWS[facts.kind](facts);
}

function branchesOf({ row: { mergeRequest } }: EmailFacts): string {
  if (mergeRequest === null) return 'it';
  return `${mergeRequest.sourceBranch} into ${mergeRequest.targetBranch}`;
}
