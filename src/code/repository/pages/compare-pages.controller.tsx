import { Controller, Get } from '@nestjs/common';
import type { VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { type Slice, sliceOf } from '../../../core/pagination/page.js';
import { Input } from '../../../core/params/input.decorator.js';
import { Button } from '../../../core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Form } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { type CommitRecord, listCommits, mergeBase } from '../../../git/reading/commits.js';
import { diffBetween, type DiffSet } from '../../../git/reading/diffs.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import { resolveRevision } from '../../../git/reading/revisions.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { ProjectRepository } from '../project-repository.service.js';
import { codeAddresses, emptyPage, ReferenceTabs, type CodeView } from './code-frame.js';
import { ComparePageDto } from './code-pages.dto.js';
import { CommitList } from './commits.page.js';
import { DiffView } from './diff-view.js';

/** Commits and changes that one revision has and another one lacks. */
interface ShownComparison {
  /** The newer revision's commit. */
  oid: string;
  /** Newest first. */
  commits: Slice<CommitRecord>;
  /** Since the last commit that both have; null when they have none in common. */
  diff: DiffSet | null;
}

/** Revisions that are not there, by the name of the field. */
interface UnknownRevisions {
  unknown: ('from' | 'to')[];
}

const MAX_COMMITS = 100;

/** Reads what `to` has and `from` has not. */
async function compareRevisions(
  repository: OpenRepository,
  from: string,
  to: string,
): Promise<ShownComparison | UnknownRevisions> {
  const older = await resolveRevision(repository, from);
  const newer = await resolveRevision(repository, to);
  if (older === null || newer === null) {
    const unknown = [
      older === null ? ['from' as const] : [],
      newer === null ? ['to' as const] : [],
    ];
    return { unknown: unknown.flat() };
  }
  const selection = { revision: newer.oid, exclude: [older.oid], skip: 0, limit: MAX_COMMITS + 1 };
  const base = await mergeBase(repository, [older.oid, newer.oid]);
  const commits = await listCommits(repository, selection);
  const diff = base === null ? null : await diffBetween(repository, base, newer.oid);
  return { oid: newer.oid, commits: sliceOf(commits, MAX_COMMITS), diff };
}

/** Comparisons of two revisions. */
@Controller(atRoot('*project_path/-/compare'))
export class ComparePagesController {
  constructor(private readonly repositories: ProjectRepository) {}

  /** Compares two revisions, or shows the form; 404 when one of them does not exist. */
  @Get()
  @ProjectPage('read_code', 'anyone')
  async compare(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() dto: ComparePageDto,
  ): Promise<HttpResponse> {
    const view = { pageContext, project };
    if (project.emptyRepo) return emptyPage(view, 'Branches');
    const from = dto.from ? dto.from : (project.defaultBranch ?? 'HEAD');
    const to = dto.to ?? '';
    const comparison =
      to === ''
        ? null
        : await this.repositories.readForPage(project, (repository) =>
            compareRevisions(repository, from, to),
          );
    const info = projectInfo(project, to === '' ? 'Compare' : `Compare ${from} and ${to}`);
    const isFound = comparison === null || !('unknown' in comparison);
    return pageContext.render(
      ComparePage({ ...view, from, to, comparison }),
      info,
      isFound ? 200 : 404,
    );
  }
}

interface ComparePageProps extends CodeView {
  from: string;
  to: string;
  /** null = no revisions chosen. */
  comparison: ShownComparison | UnknownRevisions | null;
}

/** Comparison of two branches, tags or commits. */
function ComparePage(props: ComparePageProps): VNode {
  const { project, from, to, comparison } = props;
  const { compare } = codeAddresses(project);
  const unknown = comparison !== null && 'unknown' in comparison ? comparison.unknown : [];
  return (
    <>
      <PageHeader title="Compare" />
      <ReferenceTabs project={project} current={compare} />
      <Form action={compare} method="get" label="Compare" class="field-row">
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
    </>
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
    return (
      <EmptyState title="No changes">{`${from} is already up to date with ${to}.`}</EmptyState>
    );
  }
  return (
    <>
      <CommitList commits={commits.items} addresses={addresses} />
      {commits.hasNext && (
        <p class="text-muted-foreground">
          {`Showing ${commits.items.length} commits. `}
          <a href={addresses.commits(to)}>View all</a>
        </p>
      )}
      {diff === null ? (
        <EmptyState title="Unrelated histories">
          {`${from} and ${to} have unrelated histories and cannot be compared.`}
        </EmptyState>
      ) : (
        <DiffView diff={diff} fileHref={(path) => addresses.blob(oid, path)} />
      )}
    </>
  );
}
