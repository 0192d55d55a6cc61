import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { Item } from '../../core/ui/components/item-list.js';
import { Time } from '../../core/ui/components/time.js';
import type { TagRecord } from '../../git/reading/tags.js';
import { type CodeAddresses, codeAddresses } from './addresses.js';
import { CodeFrame, type CodeView } from './code-frame.js';
import { CommitId, CommitTitle, shortId } from './commit-item.js';
import { RefList, type RefListQuery } from './ref-list.js';

interface TagsPageProps extends CodeView {
  page: Page<TagRecord>;
  paging: { page: number; perPage: number };
  query: RefListQuery;
}

/** The tags of a repository. */
export function TagsPage(props: TagsPageProps): VNode {
  const { shell, project, page, paging, query } = props;
  const addresses = codeAddresses(project);
  return (
    <CodeFrame shell={shell} project={project} current="branches" title="Tags">
      <RefList {...{ project, page, paging, query }} kind="tags" path={addresses.tags}>
        {page.items.map((tag) => (
          <TagItem key={tag.name} tag={tag} addresses={addresses} />
        ))}
      </RefList>
    </CodeFrame>
  );
}

function TagItem({ tag, addresses }: { tag: TagRecord; addresses: CodeAddresses }): VNode {
  const { name, message, commit, target, taggedDate } = tag;
  if (commit === null) {
    return (
      <Item title={<span class="font-mono break-all">{name}</span>}>
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
    <Item title={title}>
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
