import type { VNode } from 'preact';
import { itemOf, type EmailFacts, shortSha } from '../email-facts.js';
import { Facts, Items, Paragraph, Written } from '../email-parts.js';
import { MAX_COUNTED } from '../commit-facts-reader.service.js';
import { Actor } from './actor.js';

interface NewsProps {
  facts: EmailFacts;
}

/** Someone opened an issue or a merge request, or named people in it. */
export function Opened({ facts }: NewsProps): VNode {
  const { kind, row, subject, baseUrl } = facts;
  const isNew = kind === 'new_issue' || kind === 'new_merge_request';
  const description = itemOf(row)?.description ?? '';
  const article = subject.noun === 'issue' ? 'an' : 'a';
  return (
    <>
      <Paragraph>
        <Actor person={row.actor} />
        {isNew ? ` opened ${article} ${subject.noun}.` : ` named you in this ${subject.noun}.`}
      </Paragraph>
      <ItemFacts facts={facts} />
      {description.trim() !== '' && <Written text={description} baseUrl={baseUrl} />}
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
        'Assigned to': names(item?.assignees),
        Reviewers: names(mergeRequest?.reviewers),
        Milestone: item?.milestone ?? null,
        Due: issue?.dueDate ?? null,
      }}
    />
  );
}

/** Someone did something to it that needs no more words: `closed this issue`. */
export function Done({ facts, what }: NewsProps & { what: string }): VNode {
  return (
    <Paragraph>
      <Actor person={facts.row.actor} />
      {` ${what}`}
    </Paragraph>
  );
}

/** Changed assignees or reviewers. */
export function PeopleChanged({
  facts,
  role,
}: NewsProps & { role: 'assignee' | 'reviewer' }): VNode {
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

/** It belongs to another milestone than before, or to none. */
export function MilestoneChanged({ facts }: NewsProps): VNode {
  const milestone = itemOf(facts.row)?.milestone ?? null;
  const what =
    milestone === null ? 'took away the milestone.' : `changed the milestone to ${milestone}.`;
  return <Done facts={facts} what={what} />;
}

/** An issue is to be done by tomorrow. */
export function Due({ facts: { row } }: NewsProps): VNode {
  return (
    <>
      <Paragraph>{`This issue is due on ${row.issue?.dueDate ?? 'a day that was taken away since'}.`}</Paragraph>
      <Facts facts={{ 'Assigned to': names(row.issue?.assignees) }} />
    </>
  );
}

/** There are new commits on the branch of a merge request. */
export function Pushed({ facts }: NewsProps): VNode {
  const { row, commits } = facts;
  const { shown = [], total = 0 } = commits.pushed ?? {};
  const branch = row.mergeRequest?.sourceBranch ?? '';
  if (shown.length === 0) return <Done facts={facts} what={`pushed to its branch ${branch}.`} />;
  const count = total < MAX_COUNTED ? String(total) : `${MAX_COUNTED} or more`;
  const noun = total === 1 ? 'commit' : 'commits';
  return (
    <>
      <Done facts={facts} what={`pushed ${count} ${noun} to its branch ${branch}:`} />
      <Items>
        {shown.map(({ id, title }) => (
          <li key={id}>
            <code>{shortSha(id)}</code> {title}
          </li>
        ))}
      </Items>
      {total > shown.length && <Paragraph>These are the newest {shown.length} of them.</Paragraph>}
    </>
  );
}

function names(people: readonly string[] | undefined): string | null {
  return people === undefined || people.length === 0 ? null : people.join(', ');
}
