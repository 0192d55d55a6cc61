import type { VNode } from 'preact';
import { counted } from '../../../core/ui/amounts.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { NamedMilestone } from '../../../workspace/milestones/milestones.repository.js';
import type { Branches } from '../merge-request-branches.service.js';
import type { BranchPreview } from './merge-preview.service.js';
import { CommitsCard } from './merge-request-contents.page.js';
import {
  BranchChoice,
  type MergeRequestValues,
  PlanFields,
  TextFields,
} from './merge-request-fields.js';
import type { MergeRequestPageContext } from './merge-request-page-context.js';

/** The branches of a new merge request, and what is in its form. */
interface NewMergeRequestProps {
  csrfToken: string;
  context: MergeRequestPageContext;
  names: string[];
  branches: Branches;
  /** Preview of the branches, or the problems with them; null before a choice. */
  preview: BranchPreview | FormProblems | null;
  milestones: NamedMilestone[];
  values: MergeRequestValues;
  /** Errors of the sent form; null for a new one. */
  errors: FormProblems | null;
}

/** Two branches are chosen, their commits are looked at, then the merge request is described. */
export function NewMergeRequestPage(props: NewMergeRequestProps): VNode {
  const { context, names, branches, preview, errors } = props;
  const isChosen = preview !== null && 'commits' in preview;
  const problems = preview !== null && 'fields' in preview && errors === null ? preview : null;
  return (
    <>
      <PageHeader title="New merge request" />
      <BranchChoice
        path={`${context.path}/new`}
        names={names}
        branches={branches}
        problems={problems}
      />
      {isChosen && <Preview context={context} branches={branches} preview={preview} />}
      {(errors !== null || (isChosen && mayOpen(preview))) && <DetailsForm {...props} />}
      {isChosen && preview.commits.items.length > 0 && (
        <CommitsCard
          commits={preview.commits}
          code={context.code}
          all={context.code.comparison(branches.target, branches.source)}
        />
      )}
    </>
  );
}

function mayOpen({ commits, openIid }: BranchPreview): boolean {
  return openIid === null && commits.items.length > 0;
}

interface PreviewProps {
  context: MergeRequestPageContext;
  branches: Branches;
  preview: BranchPreview;
}

function Preview({ context, branches: { source, target }, preview }: PreviewProps): VNode {
  const { commits, isUnrelated, openIid } = preview;
  if (openIid !== null) {
    return (
      <EmptyState
        title="A merge request already exists"
        action={
          <ButtonLink href={`${context.path}/${openIid}`} variant="outline">
            {`Go to !${openIid}`}
          </ButtonLink>
        }
      >
        {`!${openIid} is open for these branches.`}
      </EmptyState>
    );
  }
  if (commits.items.length === 0) {
    return (
      <EmptyState title="Nothing to merge">
        {`${target} is already up to date with ${source}. Push commits to ${source} first.`}
      </EmptyState>
    );
  }
  return (
    <div class="alert" role="status" data-tone={isUnrelated ? 'alert' : 'notice'}>
      <p>
        {`${source} is ${amountOf(commits)} ahead of ${target}.`}
        {isUnrelated && ' These branches have unrelated histories and cannot be merged.'}
      </p>
    </div>
  );
}

function amountOf({ total }: BranchPreview['commits']): string {
  return total === null ? 'many commits' : counted(total, 'commit');
}

function DetailsForm(props: NewMergeRequestProps): VNode {
  const { csrfToken, context, branches, milestones, values, errors } = props;
  return (
    <Card title="Merge request">
      <Form action={`${context.path}/new`} csrfToken={csrfToken} label="Merge request">
        <FormErrors errors={errors} />
        <input type="hidden" name="source_branch" value={branches.source} />
        <input type="hidden" name="target_branch" value={branches.target} />
        <TextFields values={values} errors={errors} page={context.path} />
        <PlanFields values={values} errors={errors} page={context.path} milestones={milestones} />
        <FormActions submit="Create merge request" cancel={context.path} />
      </Form>
    </Card>
  );
}
