import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { ApiError, NotFoundError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { identityLine, ObjectWriter, withLineEnd } from '../../git/git-objects.js';
import { findTag } from '../../git/reading/tags.js';
import { resolveRevision } from '../../git/reading/revisions.js';
import { isValidReferenceName, TAG_PREFIX } from '../../git/reference-name.js';
import { type CodeChange, RepositoryChanges } from './repository-changes.service.js';

/** Tag to create; an annotated one with a message. */
export interface WantedTag {
  name: string;
  ref: string;
  message: string;
}

const NONE = '0'.repeat(40);

/** Makes and deletes tags. */
@Injectable()
export class TagChanges {
  constructor(
    private readonly changes: RepositoryChanges,
    private readonly clock: Clock,
  ) {}

  /** Throws 400 in the words of v4, and as `RepositoryChanges.run`. */
  async create(change: CodeChange, { name, ref, message }: WantedTag): Promise<void> {
    const tagRef = TAG_PREFIX + name;
    if (name.startsWith('-') || !isValidReferenceName(tagRef)) throw refusal('Tag name invalid');
    await this.changes.run(change, async (open) => {
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
    await this.changes.run(change, async (open) => {
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

function refusal(message: string): ApiError {
  return new ApiError(400, { message });
}
