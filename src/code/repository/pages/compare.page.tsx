import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { EmptyState } from '../../../core/ui/components/content.js';
import { Form } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { codeAddresses } from './addresses.js';
import { CodeFrame, ReferenceTabs, type CodeView } from './code-frame.js';
import { CommitList } from './commit-list.js';
import type { ShownComparison, UnknownRevisions } from './comparing.js';
import { DiffView } from './diff-view.js';

interface ComparePageProps extends CodeView {
  from: string;
  to: string;
  /** null = no revisions chosen. */
  comparison: ShownComparison | UnknownRevisions | null;
}

/** Comparison of two branches, tags or commits. */
export function ComparePage(props: ComparePageProps): VNode {
  const { pageContext, project, from, to, comparison } = props;
  const { compare } = codeAddresses(project);
  const unknown = comparison !== null && 'unknown' in comparison ? comparison.unknown : [];
  return (
    <CodeFrame pageContext={pageContext} project={project} current="branches" title="Compare">
      <ReferenceTabs project={project} current={compare} />
      <Form action={compare} method="get" label="Compare" class="filters">
        <TextField name="from" label="From" value={from} bare />
        <TextField
          name="to"
          label="To"
          value={to}
          placeholder="Branch, tag or commit"
          required
          bare
        />
        <Button variant="outline">Compare</Button>
      </Form>
      {unknown.map((field) => (
        <div key={field} class="alert" role="alert" data-tone="alert">
          {`There is no branch, tag or commit ${field === 'from' ? from : to}.`}
        </div>
      ))}
      {comparison !== null && 'oid' in comparison && <Result {...props} comparison={comparison} />}
    </CodeFrame>
  );
}

function Result({
  project,
  from,
  to,
  comparison,
}: ComparePageProps & { comparison: ShownComparison }): VNode {
  const addresses = codeAddresses(project);
  const { oid, commits, diff } = comparison;
  if (commits.items.length === 0) {
    return <EmptyState title="Nothing new">{`${from} has everything that ${to} has.`}</EmptyState>;
  }
  return (
    <>
      <CommitList commits={commits.items} addresses={addresses} />
      {commits.hasNext && (
        <p class="text-muted-foreground">
          {`There are more than these ${commits.items.length} commits; `}
          <a href={addresses.commits(to)}>see them all</a>.
        </p>
      )}
      {diff === null ? (
        <EmptyState title="No common history">
          {`${from} and ${to} have no commit in common: their files cannot be compared.`}
        </EmptyState>
      ) : (
        <DiffView diff={diff} fileHref={(path) => addresses.blob(oid, path)} />
      )}
    </>
  );
}
