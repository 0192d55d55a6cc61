import type { VNode } from 'preact';
import type { NotificationKind } from '../../core/activity/notifications.repository.js';
import { httpLink } from '../../core/ui/addresses.js';
import {
  type EmailFacts,
  hrefOf,
  itemOf,
  names,
  type Person,
  type PipelineRow,
  shortSha,
} from './email-facts.js';
import {
  CodeBlock,
  Facts,
  Items,
  Link,
  Note,
  Paragraph,
  Written,
} from '../../core/mail/email-parts.js';
import { MAX_COUNTED } from './commit-facts-reader.service.js';

type News = (facts: EmailFacts) => VNode;

const opened: News = (facts) => <Opened facts={facts} />;
const closed: News = (facts) => <Done facts={facts} what={`closed this ${facts.subject.noun}.`} />;
const reopened: News = (facts) => (
  <Done facts={facts} what={`reopened this ${facts.subject.noun}.`} />
);
const reassigned: News = (facts) => <PeopleChanged facts={facts} role="assignee" />;
const labeled: News = (facts) => {
  const { labels } = facts.row;
  const noun = labels.length === 1 ? 'label' : 'labels';
  return <Done facts={facts} what={`added the ${noun} ${names(labels) ?? ''}.`} />;
};
const milestoneChanged: News = (facts) => {
  const milestone = itemOf(facts.row)?.milestone ?? null;
  const what =
    milestone === null ? 'removed the milestone.' : `changed the milestone to ${milestone}.`;
  return <Done facts={facts} what={what} />;
};

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
  failed_pipeline: (facts) => <PipelineEnded facts={facts} what="failed" />,
  fixed_pipeline: (facts) => <PipelineEnded facts={facts} what="was fixed" />,
  success_pipeline: (facts) => <PipelineEnded facts={facts} what="passed" />,
  moved_project: (facts) => <Moved facts={facts} />,
  merge_when_pipeline_succeeds: (facts) => <Done facts={facts} what="enabled auto-merge." />,
  change_reviewer_merge_request: (facts) => <PeopleChanged facts={facts} role="reviewer" />,
  mention_in_issue: opened,
  mention_in_merge_request: opened,
  change_milestone_issue: milestoneChanged,
  change_milestone_merge_request: milestoneChanged,
  relabel_issue: labeled,
  relabel_merge_request: labeled,
};

/** Description of the event. */
export function EmailNews({ facts }: { facts: EmailFacts }): VNode {
  return NEWS[facts.kind](facts);
}

function branchesOf({ row: { mergeRequest } }: EmailFacts): string {
  if (mergeRequest === null) return 'it';
  return `${mergeRequest.sourceBranch} into ${mergeRequest.targetBranch}`;
}

interface NewsProps {
  facts: EmailFacts;
}

/** Someone commented. */
function Commented({ facts }: NewsProps): VNode {
  const { actor, note } = facts.row;
  const position = note?.path == null ? '' : ` on line ${note.line} of ${note.path}`;
  const what = note?.internal === true ? 'added an internal note' : 'commented';
  return (
    <>
      <Paragraph>
        <Actor person={actor} />
        {` ${what}${position}:`}
      </Paragraph>
      <Written text={note?.body ?? ''} baseUrl={facts.baseUrl} href={hrefOf(facts)} />
    </>
  );
}

/** Result of a pipeline, for the user who ran it: `failed`. */
function PipelineEnded({ facts, what }: NewsProps & { what: string }): VNode | null {
  const { pipeline } = facts.row;
  if (pipeline === null) return null;
  return (
    <>
      <Paragraph>{`Your pipeline #${pipeline.id} ${what}.`}</Paragraph>
      <Facts facts={{ Branch: pipeline.ref, Commit: shortSha(pipeline.sha) }} />
      {facts.kind === 'failed_pipeline' && <FailedStatuses failed={pipeline.failed} />}
    </>
  );
}

function FailedStatuses({ failed }: Pick<PipelineRow, 'failed'>): VNode | null {
  if (failed.length === 0) return null;
  return (
    <>
      <Paragraph>Failed jobs:</Paragraph>
      <Items>
        {failed.map(({ name, description, targetUrl }, at) => {
          const text = description ? `${name}, ${description}` : name;
          const href = httpLink(targetUrl);
          return <li key={at}>{href === null ? text : <Link href={href}>{text}</Link>}</li>;
        })}
      </Items>
    </>
  );
}

/** A project was moved to another path. */
function Moved({ facts: { row, baseUrl } }: NewsProps): VNode {
  const { actor, formerPath, project } = row;
  return (
    <>
      <Paragraph>
        <Actor person={actor} />
        {' moved this project.'}
      </Paragraph>
      <Facts facts={{ 'Old path': formerPath, 'New path': project.path }} />
      <CodeBlock
        label="Update your Git remotes:"
        code={`git remote set-url origin ${baseUrl}/${project.path}.git`}
      />
    </>
  );
}

/** Someone opened an issue or a merge request, or mentioned people in it. */
function Opened({ facts }: NewsProps): VNode {
  const { kind, row, subject, baseUrl } = facts;
  const isNew = kind === 'new_issue' || kind === 'new_merge_request';
  const description = itemOf(row)?.description ?? '';
  const article = subject.noun === 'issue' ? 'an' : 'a';
  return (
    <>
      <Paragraph>
        <Actor person={row.actor} />
        {isNew ? ` opened ${article} ${subject.noun}.` : ` mentioned you in this ${subject.noun}.`}
      </Paragraph>
      <ItemFacts facts={facts} />
      {description.trim() !== '' && (
        <Written text={description} baseUrl={baseUrl} href={subject.href} />
      )}
    </>
  );
}

function ItemFacts({ facts: { row } }: NewsProps): VNode {
  const { issue, mergeRequest } = row;
  const item = itemOf(row);
  return (
    <Facts
      facts={{
        Branches: mergeRequest && `${mergeRequest.sourceBranch} into ${mergeRequest.targetBranch}`,
        Assignees: names(item?.assignees),
        Reviewers: names(mergeRequest?.reviewers),
        Milestone: item?.milestone ?? null,
        'Due date': issue?.dueDate ?? null,
      }}
    />
  );
}

/** A change that one sentence describes: `closed this issue`. */
function Done({ facts, what }: NewsProps & { what: string }): VNode {
  return (
    <Paragraph>
      <Actor person={facts.row.actor} />
      {` ${what}`}
    </Paragraph>
  );
}

/** Changed assignees or reviewers. */
function PeopleChanged({ facts, role }: NewsProps & { role: 'assignee' | 'reviewer' }): VNode {
  const { added, removed } = facts.row;
  const noun = Math.max(added.length, removed.length) > 1 ? `${role}s` : role;
  const [before, after] = [names(removed), names(added)];
  if (before === null && after === null) {
    return <Done facts={facts} what={`changed the ${noun}s.`} />;
  }
  if (before === null) return <Done facts={facts} what={`added the ${noun} ${after}.`} />;
  if (after === null) return <Done facts={facts} what={`removed the ${noun} ${before}.`} />;
  return <Done facts={facts} what={`changed the ${noun} from ${before} to ${after}.`} />;
}

/** An issue is due tomorrow. */
function Due({ facts: { row } }: NewsProps): VNode {
  const dueDate = row.issue?.dueDate ?? null;
  return (
    <>
      <Paragraph>
        {dueDate === null ? 'The due date was removed.' : `This issue is due on ${dueDate}.`}
      </Paragraph>
      <Facts facts={{ Assignees: names(row.issue?.assignees) }} />
    </>
  );
}

/** New commits on the branch of a merge request. */
function Pushed({ facts }: NewsProps): VNode {
  const { row, commits } = facts;
  const { shown = [], total = 0 } = commits.pushed ?? {};
  const branch = row.mergeRequest?.sourceBranch ?? '';
  if (shown.length === 0) return <Done facts={facts} what={`pushed to ${branch}.`} />;
  const count = total < MAX_COUNTED ? String(total) : `at least ${MAX_COUNTED}`;
  const noun = total === 1 ? 'commit' : 'commits';
  return (
    <>
      <Done facts={facts} what={`pushed ${count} ${noun} to ${branch}:`} />
      <Items>
        {shown.map(({ id, title }) => (
          <li key={id}>
            <code>{shortSha(id)}</code> {title.slice(0, MAX_TITLE_LENGTH)}
          </li>
        ))}
      </Items>
      {total > shown.length && <Note>Only the latest {shown.length} commits are listed.</Note>}
    </>
  );
}

/** Longer ones could make an email that Gmail clips. */
const MAX_TITLE_LENGTH = 200;

/** Author of the event, who may have been deleted. */
function Actor({ person }: { person: Person | null }): VNode {
  return <strong>{person?.name ?? 'Someone'}</strong>;
}
