import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A deleted user whose events are still to be erased by the worker, however many there are. */
@Entity('erased_authors')
export class AnonymizedAuthor {
  @PrimaryColumn({
    type: 'bigint',
    name: 'author_id',
    primaryKeyConstraintName: 'pk_erased_authors',
  })
  authorId: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
