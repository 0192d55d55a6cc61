import type { VNode } from 'preact';
import { bytesText } from '../../../core/ui/amounts.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card } from '../../../core/ui/components/content.js';
import { type CodeAddresses, codeAddresses } from './addresses.js';
import { CodeFrame, type CodeView } from './code-frame.js';
import type { Spot } from './code-reading.service.js';
import { FileContent } from './file-content.js';
import { PathSteps } from './path-steps.js';
import type { RefChoices } from './ref-choices.js';
import { RefSwitcher } from './ref-switcher.js';
import type { ShownFile } from './shown-file.js';

interface BlobPageProps extends CodeView {
  spot: Spot;
  file: ShownFile;
  choices: RefChoices;
  /** Markdown as it was written. */
  plain: boolean;
}

/** A file of a repository. */
export function BlobPage(props: BlobPageProps): VNode {
  const { pageContext, project, spot, file, choices, plain } = props;
  const addresses = codeAddresses(project);
  return (
    <CodeFrame
      pageContext={pageContext}
      project={project}
      current="code"
      title={file.name}
      description={<PathSteps project={project} spot={spot} addresses={addresses} />}
      actions={
        <RefSwitcher
          action={addresses.switcher}
          choices={choices}
          current={spot.ref}
          destination="blob"
          path={spot.path}
        />
      }
    >
      <Card
        title={bytesText(file.size)}
        actions={<Actions spot={spot} file={file} plain={plain} addresses={addresses} />}
        flush
      >
        <FileContent file={file} gitRef={spot.ref} addresses={addresses} plain={plain} />
      </Card>
    </CodeFrame>
  );
}

type ActionsProps = Pick<BlobPageProps, 'spot' | 'file' | 'plain'> & { addresses: CodeAddresses };

function Actions({ spot: { ref, oid, path }, file, plain, addresses }: ActionsProps): VNode {
  const blob = addresses.blob(ref, path);
  const isMarkdown = file.kind === 'markdown';
  return (
    <div class="flex flex-wrap gap-2">
      {isMarkdown && (
        <Small href={plain ? blob : `${blob}?plain=1`}>{plain ? 'Rendered' : 'As written'}</Small>
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
