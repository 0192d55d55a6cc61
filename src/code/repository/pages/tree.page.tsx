import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { codeAddresses } from './addresses.js';
import { CodeFrame, type CodeView } from './code-frame.js';
import { FolderView } from './folder-view.js';
import type { Folder } from './folder.js';
import { PathSteps } from './path-steps.js';
import { RefSwitcher } from './ref-switcher.js';

interface TreePageProps extends CodeView {
  folder: Folder;
  /** Which part of the folder's entries is shown. */
  paging: { page: number; perPage: number };
}

/** A folder of a repository. */
export function TreePage({ pageContext, project, folder, paging }: TreePageProps): VNode {
  const addresses = codeAddresses(project);
  const { spot, entries, choices } = folder;
  const { ref, path } = spot;
  const { page, perPage } = paging;
  const shown = entries.slice((page - 1) * perPage, page * perPage);
  const place = {
    page: { hasNext: entries.length > page * perPage, total: entries.length },
    paging,
  };
  return (
    <CodeFrame
      pageContext={pageContext}
      project={project}
      current="code"
      title="Files"
      description={<PathSteps project={project} spot={spot} addresses={addresses} />}
      actions={
        <>
          <RefSwitcher
            action={addresses.switcher}
            choices={choices}
            current={ref}
            destination="tree"
            path={path}
          />
          <ButtonLink href={addresses.commits(ref, path)} variant="outline">
            History
          </ButtonLink>
        </>
      }
    >
      <FolderView folder={{ ...folder, entries: shown }} addresses={addresses}>
        <Pagination {...place} path={addresses.tree(ref, path)} />
      </FolderView>
    </CodeFrame>
  );
}
