import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card, DescriptionList, PageHeader } from '../../../core/ui/components/content.js';
import { CopyableCode } from '../../../core/ui/components/copy.js';
import { Form, FormErrors } from '../../../core/ui/components/form.js';
import { TextArea } from '../../../core/ui/components/text-field.js';
import { ReferencedText } from '../../../core/ui/components/markdown.js';
import { Time } from '../../../core/ui/components/time.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import type { DiffSet } from '../../../git/reading/diffs.js';
import { canInProject } from '../../../identity/members/abilities.js';
import type { CommitLine } from '../../../workspace/notes/notes.service.js';
import type { NoteRow } from '../../../workspace/notes/notes.repository.js';
import { DiscussionCard, NoteTimeline } from '../../../workspace/notes/pages/note-timeline.js';
import type { ShownPipeline } from '../code.repository.js';
import { type CodeAddresses, codeAddresses, type CodeView } from './code-frame.js';
import { CommitTabs, latestPipelines, PipelineCard } from './commit-pipelines.js';
import { CommitId, titleOf } from './commits.page.js';
import { DiffView, lineAnchor } from './diff-view.js';

interface CommitPageProps extends Omit<CommitCommentsProps, 'path'> {
  commit: CommitRecord;
  pipelines: readonly ShownPipeline[];
}

/** Maximum characters shown of a message. */
const LONGEST_MESSAGE = 64_000;

/** Commit with its author, message, diff and comments. */
export function CommitPage({ commit, pipelines, ...props }: CommitPageProps): VNode {
  const { project, diff, refused } = props;
  const addresses = codeAddresses(project);
  return (
    <>
      <PageHeader
        title={<ReferencedText text={titleOf(commit) + (isTitleCut(commit) ? '…' : '')} />}
        meta={<Summary commit={commit} />}
        actions={
          <ButtonLink href={addresses.tree(commit.id)} variant="outline">
            Browse files
          </ButtonLink>
        }
      />
      <CommitTabs path={addresses.commit(commit.id)} pipelines={pipelines} current="changes" />
      <FormErrors errors={refused?.errors} />
      <Card>
        <Message commit={commit} />
        <DescriptionList items={factsOf(commit, addresses)} />
      </Card>
      {latestPipelines(pipelines).map((pipeline) => (
        <PipelineCard key={pipeline.id} pipeline={pipeline} />
      ))}
      <DiffView diff={diff} fileHref={(path) => addresses.blob(commit.id, path)} />
      <CommitComments {...props} path={addresses.commit(commit.id)} />
    </>
  );
}

/** Returns true if the first line of the message goes on after the title. */
function isTitleCut({ title, message }: CommitRecord): boolean {
  return /^[^\S\n]*[^\s]/.test(message.trimStart().slice(title.length));
}

function Summary({ commit }: { commit: CommitRecord }): VNode {
  return (
    <>
      {`${commit.authorName} authored `}
      <Time value={commit.authoredDate} />
    </>
  );
}

/** Commit message after its first line. */
function Message({ commit }: { commit: CommitRecord }): VNode | null {
  const text = commit.message.trimStart().slice(commit.title.length).trim();
  if (text === '') return null;
  return (
    <>
      <p class="whitespace-pre-wrap">
        <ReferencedText
          text={text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text}
        />
      </p>
      {text.length > LONGEST_MESSAGE && (
        <p class="text-muted-foreground">This message is truncated.</p>
      )}
    </>
  );
}

function factsOf(commit: CommitRecord, addresses: CodeAddresses) {
  const { id, parentIds, authorName, authorEmail, committerName, committedDate } = commit;
  const facts = [
    { label: 'Commit', value: <CopyableCode label="Copy commit ID" value={id} /> },
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

/** Comments on a commit and the diff lines that they refer to. */
export interface CommitDiscussion {
  notes: Page<NoteRow>;
  /** By the id of the note. */
  lines: Map<number, CommitLine>;
}

/** A comment that was sent and refused. */
export interface RefusedComment {
  body: string;
  errors: FormProblems;
}

interface CommitCommentsProps extends CodeView {
  /** Address of the commit's page. */
  path: string;
  diff: DiffSet;
  discussion: CommitDiscussion;
  paging: { page: number; perPage: number };
  refused: RefusedComment | null;
}

/** Comments on a commit. */
function CommitComments(props: CommitCommentsProps): VNode {
  const { path, diff, discussion, paging } = props;
  return (
    <DiscussionCard
      title="Comments"
      notes={discussion.notes}
      timeline={
        <NoteTimeline
          notes={discussion.notes}
          paging={paging}
          path={path}
          actions={(note) => <LineOf note={note} discussion={discussion} diff={diff} />}
        />
      }
      form={CommentForm(props)}
    />
  );
}

/** Which line of the changes a comment is about. */
function LineOf({
  note,
  discussion,
  diff,
}: Pick<CommitCommentsProps, 'discussion' | 'diff'> & { note: NoteRow }): VNode | null {
  const line = discussion.lines.get(note.id);
  if (line === undefined) return null;
  const anchor = lineAnchor(diff.files, line);
  const text = `${line.path}, ${line.type} line ${line.line}`;
  return (
    <span class="min-w-0 break-all">
      {'on '}
      {anchor === null ? (
        text
      ) : (
        <a class="prose-link" href={`#${anchor}`}>
          {text}
        </a>
      )}
    </span>
  );
}

function CommentForm({ pageContext, project, path, refused }: CommitCommentsProps): VNode | null {
  if (pageContext.viewer === null) {
    return (
      <p class="text-muted-foreground">
        <a href="/users/sign_in">Sign in</a> to comment.
      </p>
    );
  }
  if (project.archived) return <p class="text-muted-foreground">The project is archived.</p>;
  if (!canInProject('comment_code', { ...project, viewer: pageContext.viewer })) return null;
  return (
    <Form
      action={`${path}/comments`}
      csrfToken={pageContext.csrfToken}
      label="Comment"
      class="grid w-full gap-4"
    >
      <TextArea
        name="body"
        markdown
        label="Comment"
        hint="Supports Markdown"
        value={refused?.body}
        errors={refused?.errors.fields['body']}
        required
      />
      <div>
        <Button variant="outline">Add comment</Button>
      </div>
    </Form>
  );
}
