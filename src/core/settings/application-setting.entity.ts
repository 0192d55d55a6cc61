import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A setting that an administrator changed; without a row its default holds. */
@Entity('application_settings')
export class ApplicationSetting {
  @PrimaryColumn({
    type: 'text',
    name: 'name',
    primaryKeyConstraintName: 'pk_application_settings',
  })
  name: string;

  /** The value; of a secret its encrypted form, a text. */
  @Column({ type: 'jsonb', name: 'value' })
  value: unknown;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
