import type { ComponentChildren, VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';
import { Item, ItemList, Pagination } from '../../../core/ui/components/list.js';
import { ReferencedText } from '../../../core/ui/components/markdown.js';
import { Time } from '../../../core/ui/components/time.js';
import type { BranchRecord, TagRecord } from '../../../git/reading/references.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import {
  codeAddresses,
  mayDeleteTagsHere,
  mayProposeHere,
  mayPushHere,
  ReferenceTabs,
  type CodeAddresses,
  type CodeView,
} from './code-frame.js';
import { REF_ORDER_CHOICES } from './code-pages.dto.js';
import { CommitId, CommitTitle, shortId } from './commits.page.js';

interface RefListProps<T> extends CodeView {
  page: Page<T>;
  paging: { page: number; perPage: number };
  /** Filters of the list. */
  query: { search: string; sort: string };
}

interface BranchesPageProps extends RefListProps<BranchRecord> {
  /** Numbers of open merge requests by source branch, as far as the viewer can see them. */
  openMergeRequests: ReadonlyMap<string, number>;
}

/** The branches of a repository. */
export function BranchesPage(props: BranchesPageProps): VNode {
  const addresses = codeAddresses(props.project);
  return (
    <RefListPage {...props} kind="branches" title="Branches" newLabel="New branch">
      {props.page.items.map((branch) => (
        <BranchItem
          key={branch.name}
          {...props}
          branch={branch}
          addresses={addresses}
          mergeRequest={props.openMergeRequests.get(branch.name)}
        />
      ))}
    </RefListPage>
  );
}

/** The tags of a repository. */
export function TagsPage(props: RefListProps<TagRecord>): VNode {
  const addresses = codeAddresses(props.project);
  return (
    <RefListPage {...props} kind="tags" title="Tags" newLabel="New tag">
      {props.page.items.map((tag) => (
        <TagItem key={tag.name} {...props} tag={tag} addresses={addresses} />
      ))}
    </RefListPage>
  );
}

interface RefListPageProps extends RefListProps<unknown> {
  kind: 'branches' | 'tags';
  title: string;
  newLabel: string;
  /** The items of the list. */
  children: ComponentChildren;
}

/** Filters, items and pages of a list of branches or tags. */
function RefListPage(props: RefListPageProps): VNode {
  const { project, kind, title, newLabel, page, paging, query, children } = props;
  const path = codeAddresses(project)[kind];
  return (
    <>
      <PageHeader
        title={title}
        actions={mayPushHere(props) && <ButtonLink href={`${path}/new`}>{newLabel}</ButtonLink>}
      />
      <ReferenceTabs project={project} current={path} />
      <FilterBar
        path={path}
        label={`Find ${kind}`}
        search={query.search}
        sort={{ name: 'sort', options: REF_ORDER_CHOICES, value: query.sort }}
      />
      {page.items.length === 0 ? (
        <EmptyState
          title={query.search === '' ? `No ${kind} yet` : `No ${kind} match your search`}
        />
      ) : (
        <Card flush>
          <ItemList label={title} aligned>
            {children}
          </ItemList>
        </Card>
      )}
      <Pagination page={page} paging={paging} path={path} query={{ ...query }} />
    </>
  );
}

interface BranchItemProps extends CodeView {
  branch: BranchRecord;
  addresses: CodeAddresses;
  /** Number of the open merge request from the branch. */
  mergeRequest: number | undefined;
}

function BranchItem(props: BranchItemProps): VNode {
  const { project, branch, addresses } = props;
  const { name, commit } = branch;
  const isDefault = name === project.defaultBranch;
  const title = (
    <>
      <RefLink name={name} addresses={addresses} />
      {isDefault && <Badge tone="info">Default</Badge>}
    </>
  );
  return (
    <Item title={title} actions={isDefault ? undefined : <BranchActions {...props} />}>
      <RefCommit commit={commit} date={commit.committedDate} addresses={addresses} />
    </Item>
  );
}

function BranchActions(props: BranchItemProps): VNode {
  const { pageContext, project, branch, addresses, mergeRequest } = props;
  const { name } = branch;
  const { defaultBranch } = project;
  const hasMergeRequest = mergeRequest !== undefined;
  return (
    <>
      {hasMergeRequest && (
        <ButtonLink href={addresses.mergeRequest(mergeRequest)} variant="ghost" size="small">
          {`Merge request !${mergeRequest}`}
        </ButtonLink>
      )}
      {!hasMergeRequest && mayProposeHere(props) && (
        <ButtonLink href={addresses.newMergeRequest(name)} variant="outline" size="small">
          New merge request
        </ButtonLink>
      )}
      {defaultBranch !== null && (
        <OverflowMenu of={name}>
          <ButtonLink href={addresses.comparison(defaultBranch, name)} variant="ghost">
            Compare
          </ButtonLink>
          {hasMergeRequest && mayProposeHere(props) && (
            <ButtonLink href={addresses.newMergeRequest(name)} variant="ghost">
              New merge request
            </ButtonLink>
          )}
          {mayPushHere(props) && (
            <ConfirmButton
              label="Delete"
              title={`Delete branch “${name}”?`}
              question={`This permanently deletes the branch ${name}. Unmerged commits will be lost.`}
              confirm="Delete branch"
              action={`${addresses.branches}/delete`}
              csrfToken={pageContext.csrfToken}
              fields={{ branch: name }}
            />
          )}
        </OverflowMenu>
      )}
    </>
  );
}

interface TagItemProps extends CodeView {
  tag: TagRecord;
  addresses: CodeAddresses;
}

function TagItem(props: TagItemProps): VNode {
  const { pageContext, tag, addresses } = props;
  const { name, message, commit, target, taggedDate } = tag;
  const actions = mayDeleteTagsHere(props) ? (
    <OverflowMenu of={name}>
      <ConfirmButton
        label="Delete"
        title={`Delete tag “${name}”?`}
        question={`This permanently deletes the tag ${name}.`}
        confirm="Delete tag"
        action={`${addresses.tags}/delete`}
        csrfToken={pageContext.csrfToken}
        fields={{ tag_name: name }}
      />
    </OverflowMenu>
  ) : undefined;
  const text = message?.trim() ?? '';
  const title = (
    <>
      <RefLink name={name} addresses={addresses} />
      {text !== '' && (
        <span class={`font-normal whitespace-pre-wrap ${text.includes('\n') ? 'basis-full' : ''}`}>
          <ReferencedText text={text} />
        </span>
      )}
    </>
  );
  if (commit === null) {
    return (
      <Item title={<span class="wrap-anywhere font-mono">{name}</span>} actions={actions}>
        {`Points to ${shortId(target)}, which is not a commit`}
      </Item>
    );
  }
  return (
    <Item title={title} actions={actions}>
      <RefCommit commit={commit} date={taggedDate ?? commit.committedDate} addresses={addresses} />
    </Item>
  );
}

/** The name of a branch or tag, linked to its files. */
function RefLink({ name, addresses }: { name: string; addresses: CodeAddresses }): VNode {
  return (
    <a class="prose-link wrap-anywhere font-mono" href={addresses.tree(name)}>
      {name}
    </a>
  );
}

interface RefCommitProps {
  commit: CommitRecord;
  date: Date;
  addresses: CodeAddresses;
}

/** The commit of a branch or tag in a line. */
function RefCommit({ commit, date, addresses }: RefCommitProps): VNode {
  return (
    <span class="flex flex-wrap gap-x-3">
      <CommitId id={commit.id} addresses={addresses} />
      <CommitTitle commit={commit} addresses={addresses} />
      <Time value={date} />
    </span>
  );
}
