import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, DescriptionList } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Markdown } from '../../../core/ui/components/markdown.js';
import { Time } from '../../../core/ui/components/time.js';
import type { MilestoneRow } from '../milestones.repository.js';
import { datesOf, MilestoneState, ProgressOf } from './milestone-facts.js';
import { ProjectLayout, type MilestonePageContext } from './milestone-page-context.js';
import type { MilestoneProgress } from '../milestones.repository.js';

interface MilestonePageProps {
  csrfToken: string;
  place: MilestonePageContext;
  milestone: MilestoneRow;
  /** null where there are no issues to count. */
  progress: MilestoneProgress | null;
}

/** A milestone: what it is, and how far the work has come. */
export function MilestonePage(props: MilestonePageProps): VNode {
  const { place, milestone, progress } = props;
  return (
    <ProjectLayout
      place={place}
      title={milestone.title}
      description={<Summary milestone={milestone} />}
      actions={place.mayChange ? <Actions {...props} /> : undefined}
    >
      <Card title="Description">
        {milestone.description ? (
          <Markdown text={milestone.description} />
        ) : (
          <p class="text-muted-foreground">No description.</p>
        )}
      </Card>
      {progress !== null && (
        <Card title="Progress" actions={<IssuesLink place={place} milestone={milestone} />}>
          <ProgressOf progress={progress} />
        </Card>
      )}
      <Card title="About">
        <DescriptionList items={factsOf(milestone)} />
      </Card>
    </ProjectLayout>
  );
}

function Summary({ milestone }: Pick<MilestonePageProps, 'milestone'>): VNode {
  return (
    <div class="flex flex-wrap items-center gap-2">
      <MilestoneState milestone={milestone} />
      <span>{datesOf(milestone)}</span>
    </div>
  );
}

function factsOf(milestone: MilestoneRow): { label: string; value: VNode | string | undefined }[] {
  return [
    { label: 'Start date', value: milestone.startDate ?? undefined },
    { label: 'Due date', value: milestone.dueDate ?? undefined },
    { label: 'Created', value: <Time value={milestone.createdAt} /> },
    { label: 'Changed', value: <Time value={milestone.updatedAt} /> },
  ];
}

function IssuesLink({ place, milestone }: Pick<MilestonePageProps, 'place' | 'milestone'>): VNode {
  const filter = new URLSearchParams({ state: 'all', milestone: milestone.title });
  return (
    <ButtonLink href={`${place.issues}?${filter.toString()}`} variant="outline" size="small">
      Show issues
    </ButtonLink>
  );
}

function Actions({ csrfToken, place, milestone }: MilestonePageProps): VNode {
  const path = `${place.path}/${milestone.iid}`;
  const isActive = milestone.state === 'active';
  return (
    <>
      <ButtonLink href={`${path}/edit`} variant="outline">
        Edit
      </ButtonLink>
      <PostButton
        action={`${path}/state`}
        csrfToken={csrfToken}
        fields={{ state_event: isActive ? 'close' : 'activate' }}
      >
        {isActive ? 'Close milestone' : 'Reopen milestone'}
      </PostButton>
      <ConfirmButton
        label="Delete"
        question={`${milestone.title} will be gone for good. Its issues stay.`}
        confirm="Delete milestone"
        action={`${path}/delete`}
        csrfToken={csrfToken}
      />
    </>
  );
}
