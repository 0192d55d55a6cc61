import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { ApiError, NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { Preconditions } from '../../core/preconditions.js';
import { identityLine, ObjectWriter, withLineEnd } from '../../git/git-objects.js';
import { resolveRevision } from '../../git/reading/revisions.js';
import { findTag, listTags, type TagRecord } from '../../git/reading/references.js';
import { isValidReferenceName, TAG_PREFIX } from '../../git/reference-name.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { orNotFound, pageOf, ProjectRepository } from './project-repository.service.js';
import type { ListTagsDto } from './ref.dto.js';
import { type CodeChange, ProjectRepositoryWriter } from './project-repository-writer.service.js';

/** Tag to create; an annotated one with a message. */
interface WantedTag {
  name: string;
  ref: string;
  message: string;
}

const NONE = '0'.repeat(40);

/** Lists, creates and deletes tags. */
@Injectable()
export class TagsService {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly writer: ProjectRepositoryWriter,
    private readonly clock: Clock,
  ) {}

  /** Returns a page of a project's tags, newest first by default. */
  list(project: ProjectRow, filters: ListTagsDto, paging: Paging): Promise<Page<TagRecord>> {
    const { offset, perPage: limit } = paging;
    return this.repositories.read(project, async (repository) => {
      const { tags, total } = await listTags(repository, {
        ...toSelection(filters),
        offset,
        limit,
      });
      return pageOf(tags, offset, total);
    });
  }

  /** Returns a tag by its exact name. Throws 404 `Tag`. */
  async find(project: ProjectRow, name: string): Promise<TagRecord> {
    const tag = await this.repositories.read(project, (repository) => findTag(repository, name));
    return orNotFound(tag, 'Tag');
  }

  /** Throws 400 in the words of v4, and as `ProjectRepositoryWriter.write`. */
  async create(change: CodeChange, { name, ref, message }: WantedTag): Promise<void> {
    const tagRef = TAG_PREFIX + name;
    if (name.startsWith('-') || !isValidReferenceName(tagRef)) throw refusal('Tag name invalid');
    await this.writer.write(change, async (open) => {
      if ((await findTag(open, name)) !== null) throw refusal(`Tag ${name} already exists`);
      const target = await resolveRevision(open, ref);
      if (target === null) throw refusal(`Target ${ref} is invalid`);
      const annotation = { name, message, target: target.oid };
      const isPlain = message.trim() === '';
      const newOid = isPlain ? target.oid : await this.annotate(change, open.path, annotation);
      return open.move({ ref: tagRef, oldOid: NONE, newOid });
    });
  }

  /** Throws 404, 403 for users who cannot change tags, 412 when it was created since. */
  async delete(change: CodeChange, name: string, preconditions: Preconditions): Promise<void> {
    await this.writer.write(change, async (open) => {
      const tag = await findTag(open, name);
      if (tag === null) throw new NotFoundError('Tag');
      const command = { ref: TAG_PREFIX + name, oldOid: tag.target, newOid: NONE };
      await open.assertAllowed(command);
      const madeAt = tag.taggedDate ?? tag.commit?.committedDate;
      if (madeAt !== undefined) preconditions.check(madeAt);
      return open.move(command);
    });
  }

  private async annotate(
    { viewer: { name: tagger, email } }: CodeChange,
    path: string,
    { name, message, target }: { name: string; message: string; target: string },
  ): Promise<string> {
    const identity = identityLine({ name: tagger, email, date: this.clock.now() });
    const head = [`object ${target}`, 'type commit', `tag ${name}`, `tagger ${identity}`];
    const writer = new ObjectWriter(path);
    const content = `${head.join('\n')}\n\n${withLineEnd(message)}`;
    const oid = writer.add('tag', Buffer.from(content));
    await writer.flush();
    return oid;
  }
}

function toSelection({ search, order_by, sort }: ListTagsDto): Parameters<typeof listTags>[1] {
  const direction = sort ?? 'desc';
  const byName = direction === 'asc' ? 'name' : 'name_desc';
  const order = order_by === 'name' ? byName : (`${order_by ?? 'updated'}_${direction}` as const);
  return { search: search ?? undefined, sort: order };
}

function refusal(message: string): ApiError {
  return new ApiError(400, { message });
}
