import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, DescriptionList } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Time } from '../../../core/ui/components/time.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import type { ShownCommitStatus } from '../code.repository.js';
import { type CodeAddresses, codeAddresses } from './addresses.js';
import { CodeFrame } from './code-frame.js';
import { CommitComments, type CommitCommentsProps } from './commit-comments.js';
import { CommitId, titleOf } from './commit-item.js';
import { CommitStatusesCard } from './commit-statuses-card.js';
import { DiffView } from './diff-view.js';

interface CommitPageProps extends Omit<CommitCommentsProps, 'path'> {
  commit: CommitRecord;
  statuses: readonly ShownCommitStatus[];
}

/** Maximum characters shown of a message. */
const LONGEST_MESSAGE = 64_000;

/** Commit with its author, message, diff and comments. */
export function CommitPage({ commit, statuses, ...props }: CommitPageProps): VNode {
  const { pageContext, project, diff, refused } = props;
  const addresses = codeAddresses(project);
  return (
    <CodeFrame
      pageContext={pageContext}
      project={project}
      current="commits"
      title={titleOf(commit)}
      description={<Summary commit={commit} />}
      actions={
        <ButtonLink href={addresses.tree(commit.id)} variant="outline">
          Browse files
        </ButtonLink>
      }
    >
      <FormErrors errors={refused?.errors} />
      <Card>
        <Message commit={commit} />
        <DescriptionList items={factsOf(commit, addresses)} />
      </Card>
      <CommitStatusesCard statuses={statuses} />
      <DiffView diff={diff} fileHref={(path) => addresses.blob(commit.id, path)} />
      <CommitComments {...props} path={addresses.commit(commit.id)} />
    </CodeFrame>
  );
}

function Summary({ commit }: { commit: CommitRecord }): VNode {
  return (
    <>
      {`${commit.authorName} wrote this `}
      <Time value={commit.authoredDate} />
    </>
  );
}

/** Commit message after its first line. */
function Message({ commit }: { commit: CommitRecord }): VNode | null {
  const text = commit.message.trimStart().slice(commit.title.length).trim();
  if (text === '') return null;
  if (text.length <= LONGEST_MESSAGE) return <p class="whitespace-pre-wrap">{text}</p>;
  return (
    <>
      <p class="whitespace-pre-wrap">{text.slice(0, LONGEST_MESSAGE)}</p>
      <p class="text-muted-foreground">This message is truncated.</p>
    </>
  );
}

function factsOf(commit: CommitRecord, addresses: CodeAddresses) {
  const { id, parentIds, authorName, authorEmail, committerName, committedDate } = commit;
  const facts = [
    { label: 'Commit', value: <code>{id}</code> },
    { label: parentIds.length > 1 ? 'Parents' : 'Parent', value: parentsOf(commit, addresses) },
    { label: 'Author', value: `${authorName} <${authorEmail}>` },
    { label: 'Committed', value: <Time value={committedDate} /> },
  ];
  if (committerName === authorName) return facts;
  const committer = { label: 'Committer', value: `${committerName} <${commit.committerEmail}>` };
  return [...facts.slice(0, 3), committer, ...facts.slice(3)];
}

function parentsOf({ parentIds }: CommitRecord, addresses: CodeAddresses): VNode | null {
  if (parentIds.length === 0) return null;
  return (
    <span class="flex flex-wrap gap-3">
      {parentIds.map((parent) => (
        <CommitId key={parent} id={parent} addresses={addresses} />
      ))}
    </span>
  );
}
