import type { VNode } from 'preact';
import { Copyable } from '../../../core/ui/components/copy.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { PipelineRow } from '../../repository/code.repository.js';
import type { CodeAddresses } from '../../repository/pages/code-frame.js';
import { Button } from '../../../core/ui/components/button.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, FormActions, PostButton } from '../../../core/ui/components/form.js';
import { LiveRegion } from '../../../core/ui/components/live-region.js';
import { TextArea } from '../../../core/ui/components/text-field.js';
import { Time } from '../../../core/ui/components/time.js';
import { CommitId, CommitStateBadge } from '../../repository/pages/commits.page.js';
import { mayPushTo } from '../merge-request-access.js';
import type { MergeRequestView } from '../merge-request-details.service.js';
import { type Block, blockOf, canWait, isWaiting, WaitingMerge } from './merge-status.js';
import { mayChangeHere, type MergeRequestPageContext } from './merge-request-page-context.js';

/** Requested merge that was refused. */
export interface RefusedMerge {
  message: string;
  removesSource: boolean;
  errors: FormProblems;
}

interface MergeBoxProps {
  csrfToken: string;
  context: MergeRequestPageContext;
  view: MergeRequestView;
  /** Paths that both branches changed. */
  conflicts: string[];
  refused: RefusedMerge | null;
}

/** Time between two questions while it is being found out, and while a pipeline runs. */
const SECONDS = 3;
const WAITING_SECONDS = 10;

/** Returns true while the mergeability is being checked. */
function isUndecided({ mergeability: { detailed } }: MergeRequestView): boolean {
  return detailed === 'checking' || detailed === 'unchecked';
}

/** Seconds after which the box is refreshed; null when it is final. */
function secondsOf(view: MergeRequestView): number | null {
  if (isUndecided(view)) return SECONDS;
  return isWaiting(view) ? WAITING_SECONDS : null;
}

/** Mergeability of a merge request, the reason if it cannot be merged, or its outcome. */
export function MergeBox(props: MergeBoxProps): VNode {
  const { context, view } = props;
  const path = `${context.path}/${view.row.iid}`;
  return (
    <LiveRegion id="merge-box" href={`${path}/merge_box`} seconds={secondsOf(view)} label="Merging">
      <Card title="Merging">
        {view.pipeline !== null && <HeadPipeline pipeline={view.pipeline} code={context.code} />}
        {view.row.state === 'opened' ? <Open {...props} /> : <Ended {...props} />}
      </Card>
    </LiveRegion>
  );
}

function Open(props: MergeBoxProps): VNode {
  const { context, view } = props;
  const block = blockOf(context, view);
  if (block === null)
    return isWaiting(view) ? <WaitingMerge {...props} /> : <MergeForm {...props} />;
  return (
    <div class="grid gap-3">
      <WaitingMerge {...props} />
      <Reason block={block} />
      {block.kind === 'draft' && <ReadyButton {...props} />}
      {view.mergeability.mergeStatus === 'cannot_be_merged' && <Conflicts {...props} />}
    </div>
  );
}

function Reason({ block: { title, text, isAlarming } }: { block: Block }): VNode {
  return (
    <div role="status">
      <p class={`font-semibold ${isAlarming === true ? 'text-destructive' : ''}`}>{title}</p>
      <p class="text-muted-foreground">{text}</p>
    </div>
  );
}

function ReadyButton({ csrfToken, context, view: { row } }: MergeBoxProps): VNode | null {
  if (!mayChangeHere(context, row)) return null;
  return (
    <div>
      <PostButton
        action={`${context.path}/${row.iid}/draft`}
        csrfToken={csrfToken}
        fields={{ draft: 'false' }}
      >
        Mark as ready
      </PostButton>
    </div>
  );
}

const MAX_PATHS = 50;

function Conflicts({ conflicts, view: { row } }: MergeBoxProps): VNode | null {
  if (conflicts.length === 0) return null;
  return (
    <div class="grid gap-2">
      <p>Conflicting files:</p>
      <ul class="list-disc pl-5 font-mono text-sm" aria-label="Conflicts">
        {conflicts.slice(0, MAX_PATHS).map((path) => (
          <li key={path} class="break-all">
            {path}
          </li>
        ))}
      </ul>
      {conflicts.length > MAX_PATHS && <p>{`And ${conflicts.length - MAX_PATHS} more.`}</p>}
      <p class="text-muted-foreground">
        {`Merge ${row.targetBranch} into ${row.sourceBranch} locally, resolve the conflicts and push:`}
      </p>
      <Copyable noun="commands">
        <pre>
          <code>{commandsFor(row)}</code>
        </pre>
      </Copyable>
    </div>
  );
}

/** Shell commands that resolve conflicts; names of branches are quoted. */
function commandsFor({ sourceBranch, targetBranch }: MergeBoxProps['view']['row']): string {
  const [source, target] = [sourceBranch, targetBranch].map((name) =>
    /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`,
  );
  return [
    'git fetch origin',
    `git switch ${source}`,
    `git merge origin/${target}`,
    `git push origin ${source}`,
  ].join('\n');
}

function Ended({ context, view: { row } }: MergeBoxProps): VNode {
  const isMerged = row.state === 'merged';
  const by = isMerged ? row.mergedBy : row.closedBy;
  return (
    <p>
      {isMerged ? 'Merged' : 'Closed without being merged'}
      {by !== null && (
        <>
          {' by '}
          <a class="prose-link" href={`/${by.username}`}>
            {by.name}
          </a>
        </>
      )}
      {', '}
      <Time value={isMerged ? row.mergedAt : row.closedAt} />
      {row.mergeCommitSha !== null && (
        <>
          {', with commit '}
          <CommitId id={row.mergeCommitSha} addresses={context.code} />
        </>
      )}
      .
    </p>
  );
}

interface HeadPipelineProps {
  pipeline: PipelineRow;
  code: CodeAddresses;
}

/** Pipeline of a merge request's head; the commit page lists its statuses. */
function HeadPipeline({ pipeline: { status, sha, ref }, code }: HeadPipelineProps): VNode {
  return (
    <div class="flex flex-wrap items-center gap-2 text-sm" role="group" aria-label="Pipeline">
      <span class="font-medium">Pipeline</span>
      <CommitStateBadge state={status} />
      <span class="text-muted-foreground min-w-0 break-words">
        {'for '}
        <CommitId id={sha} addresses={code} />
        {ref !== '' && ` on ${ref}`}
      </span>
    </div>
  );
}

/** The form that merges what can be merged. */
function MergeForm({ csrfToken, context, view, refused }: MergeBoxProps): VNode {
  const { row } = view;
  return (
    <Form
      action={`${context.path}/${row.iid}/merge`}
      csrfToken={csrfToken}
      label="Merge"
      class="grid w-full gap-4"
    >
      <p role="status">
        <span class="text-success font-semibold">Ready to merge.</span>
        {` No conflicts with ${row.targetBranch}.`}
      </p>
      <input type="hidden" name="sha" value={row.headSha} />
      <details open={Boolean(refused?.message)}>
        <summary class="text-muted-foreground w-fit">Edit commit message</summary>
        <div class="mt-3 grid">
          <TextArea
            name="merge_commit_message"
            label="Merge commit message"
            hint={`Default: Merge branch '${row.sourceBranch}' into '${row.targetBranch}'`}
            value={refused?.message}
            errors={refused?.errors.fields['merge_commit_message']}
            rows={3}
          />
        </div>
      </details>
      {mayRemoveSource(context, row) && (
        <CheckboxField
          name="should_remove_source_branch"
          label="Delete source branch"
          checked={refused?.removesSource ?? row.removeSourceBranch}
        />
      )}
      <FormActions>
        {canWait(view) && (
          <Button name="auto_merge" value="true">
            Merge when pipeline succeeds
          </Button>
        )}
        <Button variant={canWait(view) ? 'outline' : 'primary'}>
          {canWait(view) ? 'Merge now' : 'Merge'}
        </Button>
      </FormActions>
    </Form>
  );
}

function mayRemoveSource(
  { project: { defaultBranch }, viewer }: MergeBoxProps['context'],
  { sourceBranch: branch, accessLevel }: MergeBoxProps['view']['row'],
): boolean {
  return branch !== defaultBranch && mayPushTo({ branch, defaultBranch, accessLevel, viewer });
}
