import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, Int, Mutation, ObjectType, Query, Resolver, registerEnumType } from 'type-graphql';
import { beginWithShortIdle, inTransaction, type Queryable } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import { makeLabel, modelLabel } from '../../domain/catalogue.ts';
import { factText } from '../../domain/descriptions/stated-facts.ts';
import { type ListingFacts, type RejectCode, storableText } from '../../domain/facts/listing-facts.ts';
import { SourceOrigin } from '../../domain/source-origin.ts';
import { writeAuditLog } from '../../entities/audit-log.ts';
import { requireViewer } from '../../policies/admin.ts';
import { sourceSubject } from '../../policies/operations.ts';
import { endSource, resumeSource } from '../../sources/change-sources.ts';
import { createSource, readSourceSettings, sourceToTry, updateSource } from '../../sources/manage/change-source.ts';
import type { TriedSource } from '../../sources/try-source.ts';
import type { Context } from '../context.ts';
import { SourceInput } from '../inputs/source.ts';

registerEnumType(SourceOrigin, {
  name: 'SourceOrigin',
  description: 'Where the settings of a source come from.',
  valuesConfig: {
    browser: { description: 'The admin made it in the browser, where it can be edited.' },
    settings: { description: 'SOURCES_FILE names it or has named it; it is edited there.' },
    demo: { description: 'It is the demo marketplace, whose cars are made up.' },
    push: { description: 'A program of the operator pushes its listings.' },
  },
});

@ObjectType({ description: 'The value of one field of a source.' })
class SourceFieldValue {
  @Field(() => String, { description: 'Name of the field, for example "url".' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Its value as text; null for a secret, which is never sent.' })
  value!: string | null;

  @Field(() => Boolean, { description: 'Whether it has a value; of a secret, whether one is stored.' })
  isSet!: boolean;
}

@ObjectType({ description: 'How a source is set up. Secrets are left out.' })
class SourceSettings {
  @Field(() => String, { description: 'What the source is called.' })
  name!: string;

  @Field(() => String, { description: 'The kind of the source, such as "vehicle-feed", or "push".' })
  kind!: string;

  @Field(() => SourceOrigin, { description: 'Where its settings come from.' })
  origin!: SourceOrigin;

  @Field(() => Int, { description: 'Changes with each change of the settings; pass it to updateSource.' })
  version!: number;

  @Field(() => [SourceFieldValue], { description: 'The fields of its kind; none of a kind that has no form.' })
  fields!: SourceFieldValue[];

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When SOURCES_FILE took the place of what was set in the browser; null if it never did.',
  })
  replacedAt!: Date | null;
}

@ObjectType({ description: 'What can be set up in the browser on this server.' })
class SourceOptions {
  @Field(() => Boolean, { description: 'Whether a source may have an address in the private network of the server.' })
  privateNetwork!: boolean;

  @Field(() => Boolean, { description: 'Whether listings can be pushed, as INGEST_TOKEN is set.' })
  push!: boolean;
}

@ObjectType({ description: 'A car of a tried source, as LotWatch reads it. What is not stated is null.' })
class TriedCar {
  @Field(() => String, { description: "The car's id at the source." })
  externalId!: string;

  @Field(() => String, { description: 'The title, as buyers see it.' })
  title!: string;

  @Field(() => Int, { nullable: true, description: 'The model year.' })
  year!: number | null;

  @Field(() => String, { nullable: true, description: 'The make.' })
  make!: string | null;

  @Field(() => String, { nullable: true, description: 'The model.' })
  model!: string | null;

  @Field(() => Int, { nullable: true, description: 'The price in US dollars.' })
  price!: number | null;

  @Field(() => Int, { nullable: true, description: 'The mileage in miles.' })
  mileage!: number | null;

  @Field(() => [String], {
    description:
      'What else is stated, in words: title status, trim, fuel, drive, transmission, body, color and seller.',
  })
  facts!: string[];

  @Field(() => String, { nullable: true, description: 'Where the car is.' })
  location!: string | null;

  @Field(() => Int, { description: 'How many photos it has.' })
  photos!: number;

  @Field(() => String, { nullable: true, description: "The address of the car's own page." })
  url!: string | null;
}

@ObjectType({ description: 'A record of a tried source that would be rejected, and go to quarantine.' })
class TriedReject {
  @Field(() => String, { nullable: true, description: "The record's id at the source, if it has one." })
  externalId!: string | null;

  @Field(() => String, { description: 'Why, as a code.' })
  code!: RejectCode;

  @Field(() => String, { description: 'Why, in a sentence.' })
  reason!: string;

  @Field(() => String, { description: 'The beginning of the record as it was received.' })
  record!: string;
}

@ObjectType({ description: 'What a source would bring. Nothing of it is stored.' })
export class SourceTrial {
  @Field(() => Int, { description: 'How many cars were read.' })
  accepted!: number;

  @Field(() => Int, { description: 'How many records would be rejected.' })
  rejected!: number;

  @Field(() => Int, { description: 'How many of the cars have no place that is known, so that they match no alert.' })
  placeless!: number;

  @Field(() => Boolean, { description: 'Whether there is more than what was read.' })
  hasMore!: boolean;

  @Field(() => [TriedCar], { description: 'The first five cars.' })
  cars!: TriedCar[];

  @Field(() => [TriedReject], { description: 'The first three records that would be rejected.' })
  rejects!: TriedReject[];

  @Field(() => String, {
    nullable: true,
    description: 'Why it could not be read, or not to its end; null if it could.',
  })
  fault!: string | null;
}

const NAME = { description: 'What the source is called.' };

/** A rejected record can have 256 KB. */
const RECORD_SHOWN = 4_000;

/** What a car states beside the numbers; a value that is only none of the usual ones says nothing. */
const wordsOf = (car: ListingFacts): string[] =>
  (['titleStatus', 'trim', 'fuel', 'drive', 'transmission', 'body', 'color', 'seller'] as const).flatMap((fact) => {
    const value = car[fact];
    return value == null || value === 'other' ? [] : [factText(fact, value)];
  });

const shownCar = (car: ListingFacts): TriedCar => ({
  externalId: car.externalId,
  title: car.title,
  year: car.year,
  make: makeLabel(car.make),
  model: car.model === null ? null : modelLabel(car.make, car.model),
  price: car.price,
  mileage: car.mileageMiles,
  facts: wordsOf(car),
  location: [car.city, car.state].filter(Boolean).join(', ') || null,
  photos: car.images.length,
  url: car.url,
});

const shownTrial = ({ facts, rejections, error, ...counts }: TriedSource): SourceTrial => ({
  ...counts,
  fault: error,
  cars: facts.map(shownCar),
  rejects: rejections.map(({ externalId, code, reason, record }) => ({
    externalId,
    code,
    reason,
    record: record.slice(0, RECORD_SHOWN),
  })),
});

/** With a name for which the database can look: no source has one that it cannot store. */
const findable = (input: SourceInput): SourceInput => ({ ...input, name: storableText(input.name) });

/** Runs a change of a source in one transaction with its entry in the audit log. */
const logged = <T>({ parts }: Context, action: AuditAction, name: string, work: (db: Queryable) => Promise<T>) =>
  inTransaction(
    parts.pool,
    async (client) => {
      const result = await work(client);
      await writeAuditLog(client, { actor: 'admin', action, subject: sourceSubject({ name }), outcome: 'done' });
      return result;
    },
    beginWithShortIdle,
  );

@Resolver()
export class SourceSettingsResolver {
  @Query(() => [SourceSettings], { description: 'How each source is set up, by name. Admin only.' })
  sources(@Ctx() context: Context): Promise<SourceSettings[]> {
    return readSourceSettings(context.parts.pool);
  }

  @Query(() => SourceOptions, { description: 'What can be set up in the browser. Admin only.' })
  sourceOptions(@Ctx() { parts }: Context): SourceOptions {
    return { privateNetwork: parts.sources.allowsPrivateNetwork, push: parts.sources.acceptsPushes };
  }

  @Mutation(() => SourceTrial, {
    description:
      'Reads the first records of a source, for 20 seconds at most, and says what would come of it; nothing is stored. Secrets that are left out are those of the source with this name, unless the address leads to another server. Admin only.',
  })
  async trySource(
    @Arg('input', () => SourceInput, { description: 'The source; it need not exist.' }) input: SourceInput,
    @Ctx() context: Context,
  ): Promise<SourceTrial> {
    const { pool, limits, sources } = context.parts;
    await limits.sourceTrial(requireViewer(context).id);
    const source = await sourceToTry(pool, sources, findable(input));
    const trial = await sources.trySource(source, context.gone);
    const subject = sourceSubject({ name: source.name });
    await writeAuditLog(pool, { actor: 'admin', action: 'source.try', subject, outcome: 'done' });
    return shownTrial(trial);
  }

  @Mutation(() => SourceSettings, {
    description: 'Makes a source, which is read from now on. Refused where the name is taken. Admin only.',
  })
  createSource(
    @Arg('input', () => SourceInput, { description: 'The source.' }) input: SourceInput,
    @Ctx() context: Context,
  ): Promise<SourceSettings> {
    return logged(context, 'source.create', input.name, (db) => createSource(db, context.parts.sources, input));
  }

  @Mutation(() => SourceSettings, {
    description:
      'Changes a source that was made in the browser. A secret that is left out stays, unless the address leads to another server. Admin only.',
  })
  updateSource(
    @Arg('input', () => SourceInput, { description: 'The source with all of its fields.' }) input: SourceInput,
    @Arg('version', () => Int, {
      description: 'The version that was edited; CONFLICT if the source has changed since.',
    })
    version: number,
    @Ctx() context: Context,
  ): Promise<SourceSettings> {
    const found = findable(input);
    return logged(context, 'source.update', found.name, (db) =>
      updateSource(db, context.parts.sources, found, version),
    );
  }

  @Mutation(() => String, {
    description:
      'Stops a source and returns its name: no read begins any more, also if SOURCES_FILE names it. Its cars and its health stay. Admin only.',
  })
  endSource(@Arg('name', () => String, NAME) name: string, @Ctx() context: Context): Promise<string> {
    return change(context, 'source.end', name, (db, found) => endSource(db, found, 'operator'));
  }

  @Mutation(() => String, {
    description: 'Starts a stopped source again with its last settings, and returns its name. Admin only.',
  })
  resumeSource(@Arg('name', () => String, NAME) name: string, @Ctx() context: Context): Promise<string> {
    return change(context, 'source.resume', name, resumeSource);
  }
}

function change(context: Context, action: AuditAction, asked: string, run: typeof resumeSource): Promise<string> {
  const name = storableText(asked);
  return logged(context, action, name, async (db) => {
    const outcome = await run(db, name);
    if (outcome === 'unknown') throw new AppError('NOT_FOUND', 'Source not found');
    if (outcome === 'pushed')
      throw new AppError('CONFLICT', 'This source is pushed to: it stops when its sender stops.');
    return name;
  });
}
