import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { counted } from '../../../core/ui/amounts.js';
import { ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, EmptyState, LabelChip, PageHeader } from '../../../core/ui/components/content.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Item, ItemList, Pagination } from '../../../core/ui/components/list.js';
import type { LabelCounts, LabelOwner, LabelRow } from '../labels.repository.js';

/** The project or group of a page about labels, and the viewer's permissions. */
export interface LabelsPageContext {
  owner: LabelOwner;
  csrfToken: string;
  /** Address of the list; the others begin with it. */
  path: string;
  /** Addresses of what labels filter; null where there are none. */
  issues: string | null;
  mergeRequests: string | null;
  mayChange: boolean;
  /** Full path of the group that the viewer can promote labels to; null for none. */
  promotesTo: string | null;
}

interface LabelsPageProps {
  context: LabelsPageContext;
  search: string | null;
  page: Page<LabelRow>;
  countsOf: (name: string) => LabelCounts;
  /** IDs of the labels that the viewer is subscribed to; null for visitors. */
  subscribed: ReadonlySet<number> | null;
  paging: { page: number; perPage: number };
}

/** The labels of a project or group. */
export function LabelsPage(props: LabelsPageProps): VNode {
  const { context, search, page, countsOf, subscribed, paging } = props;
  const { path } = context;
  return (
    <>
      <PageHeader title="Labels" actions={<CreateLink context={context} />} />
      <FilterBar path={path} search={search} />
      {page.items.length === 0 ? (
        <NoLabels context={context} search={search} />
      ) : (
        <Card flush>
          <ItemList label="Labels">
            {page.items.map((label) => (
              <LabelItem
                key={label.id}
                context={context}
                label={label}
                counts={countsOf(label.name)}
                isSubscribed={subscribed && subscribed.has(label.id)}
              />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination page={page} paging={paging} path={path} query={{ search }} />
    </>
  );
}

function CreateLink({ context }: Pick<LabelsPageProps, 'context'>): VNode | null {
  if (!context.mayChange) return null;
  return <ButtonLink href={`${context.path}/new`}>New label</ButtonLink>;
}

function NoLabels({ context, search }: Pick<LabelsPageProps, 'context' | 'search'>): VNode {
  if (search) return <EmptyState title="No labels found">Try another search.</EmptyState>;
  return (
    <EmptyState title="No labels yet" action={<CreateLink context={context} />}>
      Labels sort issues and merge requests by topic.
    </EmptyState>
  );
}

interface LabelItemProps {
  context: LabelsPageContext;
  label: LabelRow;
  counts: LabelCounts;
  /** null for visitors. */
  isSubscribed: boolean | null;
}

function LabelItem({ context, label, counts, isSubscribed }: LabelItemProps): VNode {
  const { name, description, groupId, priority } = label;
  const filter = `?${new URLSearchParams({ label: name }).toString()}`;
  const isInherited =
    'projectId' in context.owner ? groupId !== null : groupId !== context.owner.groupId;
  const title = (
    <>
      <LabelChip
        label={label}
        href={(context.issues ?? context.mergeRequests ?? context.path) + filter}
      />
      {description !== null && <span class="font-normal">{description}</span>}
    </>
  );
  return (
    <Item
      title={title}
      actions={
        <>
          {isSubscribed !== null && (
            <PostButton
              action={`${context.path}/${label.id}/subscription`}
              csrfToken={context.csrfToken}
              size="small"
              fields={{ subscribed: String(!isSubscribed) }}
            >
              {isSubscribed ? 'Unsubscribe' : 'Subscribe'}
              <span class="sr-only">
                {' '}
                {isSubscribed ? 'from' : 'to'} {name}
              </span>
            </PostButton>
          )}
          <Actions context={context} label={label} isInherited={isInherited} />
        </>
      }
    >
      {[isInherited ? 'Group label' : null, priority === null ? null : `Priority ${priority}`].map(
        (text) => text !== null && `${text} · `,
      )}
      <Count href={context.issues && context.issues + filter}>
        {counted(counts.openIssues, 'open issue')}
      </Count>
      {' · '}
      <Count href={context.mergeRequests && context.mergeRequests + filter}>
        {counted(counts.openMergeRequests, 'open merge request')}
      </Count>
    </Item>
  );
}

function Count({ href, children }: { href: string | null; children: string }): VNode {
  return href === null ? <>{children}</> : <a href={href}>{children}</a>;
}

interface ActionsProps {
  context: LabelsPageContext;
  label: LabelRow;
  isInherited: boolean;
}

function Actions({ context, label, isInherited }: ActionsProps): VNode | null {
  if (!context.mayChange || isInherited) return null;
  const path = `${context.path}/${label.id}`;
  return (
    <>
      <ButtonLink href={`${path}/edit`} variant="outline" size="small">
        Edit
      </ButtonLink>
      <OverflowMenu of={label.name}>
        {context.promotesTo !== null && (
          <PostButton action={`${path}/promote`} csrfToken={context.csrfToken}>
            Promote to group
          </PostButton>
        )}
        <ConfirmButton
          label="Delete"
          title={`Delete label “${label.name}”?`}
          question={`This deletes the label ${label.name} and removes it from issues and merge requests.`}
          confirm="Delete label"
          action={`${path}/delete`}
          csrfToken={context.csrfToken}
        />
      </OverflowMenu>
    </>
  );
}
