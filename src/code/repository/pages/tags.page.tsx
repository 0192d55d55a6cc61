import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Item } from '../../../core/ui/components/item-list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { TagRecord } from '../../../git/reading/tags.js';
import { type CodeAddresses, codeAddresses } from './addresses.js';
import { CodeFrame, type CodeView } from './code-frame.js';
import { CommitId, CommitTitle, shortId } from './commit-item.js';
import { mayDeleteTagsHere, mayPushHere } from './ref-rights.js';
import { RefList, type RefListQuery } from './ref-list.js';

interface TagsPageProps extends CodeView {
  page: Page<TagRecord>;
  paging: { page: number; perPage: number };
  query: RefListQuery;
}

/** The tags of a repository. */
export function TagsPage(props: TagsPageProps): VNode {
  const { pageContext, project, page, paging, query } = props;
  const addresses = codeAddresses(project);
  const mayDelete = mayDeleteTagsHere(props);
  return (
    <CodeFrame
      pageContext={pageContext}
      project={project}
      current="branches"
      title="Tags"
      actions={
        mayPushHere(props) && <ButtonLink href={`${addresses.tags}/new`}>New tag</ButtonLink>
      }
    >
      <RefList {...{ project, page, paging, query }} kind="tags" path={addresses.tags}>
        {page.items.map((tag) => (
          <TagItem
            key={tag.name}
            tag={tag}
            addresses={addresses}
            actions={mayDelete ? <Deletion {...props} name={tag.name} /> : undefined}
          />
        ))}
      </RefList>
    </CodeFrame>
  );
}

interface TagItemProps {
  tag: TagRecord;
  addresses: CodeAddresses;
  actions: VNode | undefined;
}

function TagItem({ tag, addresses, actions }: TagItemProps): VNode {
  const { name, message, commit, target, taggedDate } = tag;
  if (commit === null) {
    return (
      <Item title={<span class="font-mono break-all">{name}</span>} actions={actions}>
        {`Names ${shortId(target)}, which is no commit`}
      </Item>
    );
  }
  const title = (
    <a class="prose-link font-mono break-all" href={addresses.tree(name)}>
      {name}
    </a>
  );
  return (
    <Item title={title} actions={actions}>
      {message !== null && message !== '' && (
        <span class="text-foreground mb-1 block whitespace-pre-wrap">{message}</span>
      )}
      <span class="flex flex-wrap gap-x-3">
        <CommitId id={commit.id} addresses={addresses} />
        <CommitTitle commit={commit} addresses={addresses} />
        <Time value={taggedDate ?? commit.committedDate} />
      </span>
    </Item>
  );
}

function Deletion({ pageContext, project, name }: CodeView & { name: string }): VNode {
  return (
    <ConfirmButton
      label="Delete"
      question={`The tag ${name} will be gone for good.`}
      confirm="Delete tag"
      action={`${codeAddresses(project).tags}/delete`}
      csrfToken={pageContext.csrfToken}
      fields={{ tag_name: name }}
      variant="outline"
      size="small"
    />
  );
}
