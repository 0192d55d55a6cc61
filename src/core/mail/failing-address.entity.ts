import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Delivery failures of an address since `since`; after too many a day it gets no emails for a
 * while.
 */
@Entity('failing_addresses')
export class FailingAddress {
  /** In lower case. */
  @PrimaryColumn({
    type: 'text',
    name: 'address',
    primaryKeyConstraintName: 'pk_failing_addresses',
  })
  address: string;

  /** Attempts that the server rejected permanently. */
  @Column({ type: 'integer', name: 'permanent', default: 0 })
  permanent: number;

  /** Attempts that it refused for now. */
  @Column({ type: 'integer', name: 'temporary', default: 0 })
  temporary: number;

  /** Begin of the day that is counted. */
  @Column({ type: 'timestamptz', precision: 3, name: 'since', default: () => 'now()' })
  since: Date;
}
