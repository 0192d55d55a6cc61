import type { VNode } from 'preact';
import { bytesText } from '../../../core/ui/amounts.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Pagination } from '../../../core/ui/components/list.js';
import type { Spot } from '../project-repository.service.js';
import { codeAddresses, type CodeAddresses, type CodeView, PathSteps } from './code-frame.js';
import { FileContent, type ShownFile } from './file-content.js';
import { type Folder, FolderView } from './folder-view.js';
import { type RefChoices, RefSwitcher } from './ref-switcher.js';

interface TreePageProps extends CodeView {
  folder: Folder;
  /** Which part of the folder's entries is shown. */
  paging: { page: number; perPage: number };
}

/** A folder of a repository. */
export function TreePage({ project, folder, paging }: TreePageProps): VNode {
  const addresses = codeAddresses(project);
  const { spot, entries, choices } = folder;
  const { ref, path } = spot;
  const { page, perPage } = paging;
  const place = {
    page: { hasNext: entries.length > page * perPage, total: entries.length },
    paging,
  };
  return (
    <>
      <PageHeader
        title="Files"
        meta={<PathSteps project={project} spot={spot} addresses={addresses} />}
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
      />
      <FolderView folder={folder} addresses={addresses}>
        <Pagination {...place} path={addresses.tree(ref, path)} />
      </FolderView>
    </>
  );
}

interface BlobPageProps extends CodeView {
  spot: Spot;
  file: ShownFile;
  choices: RefChoices;
  /** Markdown as it was written. */
  plain: boolean;
}

/** A file of a repository. */
export function BlobPage(props: BlobPageProps): VNode {
  const { project, spot, file, choices, plain } = props;
  const addresses = codeAddresses(project);
  return (
    <>
      <PageHeader
        title={file.name}
        meta={<PathSteps project={project} spot={spot} addresses={addresses} />}
        actions={
          <RefSwitcher
            action={addresses.switcher}
            choices={choices}
            current={spot.ref}
            destination="blob"
            path={spot.path}
          />
        }
      />
      <Card
        title={bytesText(file.size)}
        actions={<Actions spot={spot} file={file} plain={plain} addresses={addresses} />}
        flush
      >
        <FileContent file={file} gitRef={spot.ref} addresses={addresses} plain={plain} />
      </Card>
    </>
  );
}

type ActionsProps = Pick<BlobPageProps, 'spot' | 'file' | 'plain'> & { addresses: CodeAddresses };

function Actions({ spot: { ref, oid, path }, file, plain, addresses }: ActionsProps): VNode {
  const blob = addresses.blob(ref, path);
  const isMarkdown = file.kind === 'markdown';
  return (
    <div class="flex flex-wrap gap-2">
      {isMarkdown && (
        <Small href={plain ? blob : `${blob}?plain=1`}>{plain ? 'Rendered' : 'View source'}</Small>
      )}
      <Small href={addresses.raw(ref, path)}>{file.kind === 'none' ? 'Download' : 'Raw'}</Small>
      <Small href={addresses.commits(ref, path)}>History</Small>
      {ref !== oid && <Small href={addresses.blob(oid, path)}>Permalink</Small>}
    </div>
  );
}

function Small({ href, children }: { href: string; children: string }): VNode {
  return (
    <ButtonLink href={href} variant="outline" size="small">
      {children}
    </ButtonLink>
  );
}
