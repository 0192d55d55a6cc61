import type { VNode } from 'preact';
import { Button } from '../../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../../core/ui/components/confirm-button.js';
import { Form, PostButton } from '../../../../core/ui/components/form.js';
import { TextField } from '../../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../../core/ui/forms.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import type { ErrorIssue, ErrorGroupRow } from '../../../errors/error-group.js';
import { errorsPath, issuePath } from '../../../error-paths.js';
import type { TagDistribution } from '../../../error-statistics.repository.js';
import { Fold, SidePart } from '../event/text-parts.js';
import { errorsAddress } from '../list/errors-query.js';
import { counted } from '../../../../core/ui/amounts.js';

interface ErrorIssueCardProps {
  project: ProjectRow;
  error: ErrorGroupRow;
  csrfToken: string;
  mayChange: boolean;
  mayCreate: boolean;
  /** As it was typed in. */
  issueIid: string;
  errors: FormProblems | null;
}

/** The issue in which the error is worked on: opened, linked or unlinked here. */
export function ErrorIssueCard(props: ErrorIssueCardProps): VNode | null {
  const { error, mayChange } = props;
  if (error.issue === null && !mayChange) return null;
  return (
    <SidePart title="Issue">
      {error.issue === null ? <NoIssue {...props} /> : <Linked {...props} issue={error.issue} />}
    </SidePart>
  );
}

function Linked(props: ErrorIssueCardProps & { issue: ErrorIssue }): VNode {
  const { project, error, csrfToken, mayChange, issue } = props;
  return (
    <>
      <p class="wrap-anywhere">
        <a href={issuePath(project, issue.iid)}>
          #{issue.iid} {issue.title}
        </a>
        {issue.state === 'closed' && ' (closed)'}
      </p>
      {mayChange && (
        <ConfirmButton
          label="Unlink"
          title={`Unlink issue #${issue.iid}?`}
          question="Removes the link only. Neither item is deleted."
          confirm="Unlink issue"
          action={`${errorsPath(project)}/${error.id}/issue/unlink`}
          csrfToken={csrfToken}
          variant="outline"
          size="small"
        />
      )}
    </>
  );
}

function NoIssue(props: ErrorIssueCardProps): VNode {
  const { project, error, csrfToken, mayCreate, issueIid, errors } = props;
  const action = `${errorsPath(project)}/${error.id}/issue`;
  return (
    <>
      {mayCreate && (
        <div>
          <PostButton action={action} csrfToken={csrfToken} size="small">
            Create issue
          </PostButton>
        </div>
      )}
      <details open={errors !== null}>
        <summary class="text-muted-foreground w-fit">Link an existing issue</summary>
        <Form
          action={`${action}/link`}
          csrfToken={csrfToken}
          label="Link an issue"
          class="mt-2 grid gap-2"
        >
          <TextField
            name="issue_iid"
            label="Issue number"
            hint="e.g. #7"
            value={issueIid}
            errors={errors?.fields['issue_iid']}
            pattern="#?[0-9]+"
            required
          />
          <div>
            <Button variant="outline" size="small">
              Link issue
            </Button>
          </div>
        </Form>
      </details>
    </>
  );
}

interface TagsCardProps {
  project: ProjectRow;
  tags: TagDistribution[];
}

const FILL = 'fill-chart-blue';
const MOST_KEYS = 8;
const MOST_VALUES = 4;

/** Distribution of the values of each tag; they link to the errors with the same value. */
export function TagsCard({ project, tags }: TagsCardProps): VNode | null {
  if (tags.length === 0) return null;
  return (
    <SidePart title="Tags">
      <Fold
        items={tags.map((tag) => (
          <TagPart key={tag.key} project={project} tag={tag} />
        ))}
        limit={MOST_KEYS}
        noun="tags"
        frame={(some) => <div class="grid grid-cols-1 gap-3">{some}</div>}
      />
    </SidePart>
  );
}

function TagPart({ project, tag }: { project: ProjectRow; tag: TagDistribution }): VNode {
  const { key, total, values } = tag;
  const shown = values.slice(0, MOST_VALUES);
  const others = total - shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <section>
      <h3 class="text-muted-foreground font-normal wrap-anywhere">{key}</h3>
      <ul>
        {shown.map(({ value, count }) => (
          <li key={value} class="flex items-center gap-2">
            <a
              class="min-w-0 grow py-0.5 wrap-anywhere hover:underline"
              href={taggedPath(project, key, value)}
            >
              {value === '' ? '(empty)' : value}
            </a>
            <Share label={`${key}: ${value}`} count={count} total={total} />
          </li>
        ))}
        {others > 0 && (
          <li class="flex items-center gap-2">
            <span class="grow">Others</span>
            <Share label={`${key}: others`} count={others} total={total} />
          </li>
        )}
      </ul>
    </section>
  );
}

function Share(props: { label: string; count: number; total: number }): VNode {
  const { label, count, total } = props;
  const share = Math.round((count / total) * 100);
  return (
    <span class="flex flex-none items-center gap-2" title={counted(count, 'event')}>
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        class="bg-muted h-1.5 w-14 rounded-full"
        role="img"
        aria-label={`${label}: ${share} %`}
      >
        <rect width={share} height={6} rx={1} class={FILL} />
      </svg>
      <span
        class="text-muted-foreground w-10 text-right whitespace-nowrap tabular-nums"
        aria-hidden="true"
      >
        {share} %
      </span>
    </span>
  );
}

/** Returns the address of the errors with a tag; environments and releases have filters of their own. */
export function taggedPath(project: ProjectRow, key: string, value: string): string {
  const path = errorsPath(project);
  if (key === 'environment' || key === 'release') {
    return errorsAddress(path, { status: 'all', [key]: value });
  }
  return errorsAddress(path, { status: 'all', tag: `${key}:${value}` });
}
