import { Arg, Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { refuseInvalid } from '../../base/errors.ts';
import { alertFieldNames, deliveryNames } from '../../domain/forms/alert.ts';
import { readWish } from '../../domain/wishes/wish.ts';
import { formWish } from '../../domain/wishes/wish-input.ts';
import { MAX_WISH } from '../../domain/wishes/wish-text.ts';
import { alertInputFields } from '../../entities/edited-field.ts';
import type { Context } from '../context.ts';

@ObjectType({ description: 'The fields of an alert that a wish fills. null: the wish says nothing of it.' })
class WishInput {}
const wished: readonly string[] = alertFieldNames.filter(
  (name) => !(deliveryNames as readonly string[]).includes(name),
);
for (const { name, type, description } of alertInputFields) {
  if (wished.includes(name)) Field(type, { nullable: true, description })(WishInput.prototype, name);
}

@ObjectType({ description: 'A part of a wish that was understood.' })
class WishPart {
  @Field(() => [String], { description: 'Names of the fields of `input` that it fills.' })
  fields!: string[];

  @Field(() => String, { description: 'The words that it was read from.' })
  text!: string;

  @Field(() => String, { description: 'What was understood, to be shown: "Up to $9,000".' })
  value!: string;
}

@ObjectType({ description: 'What was read from a wish in words.' })
class Wish {
  @Field(() => WishInput, { description: 'What an alert would have to be created with.' })
  input!: object;

  @Field(() => [WishPart], { description: 'What was understood, cars first.' })
  understood!: WishPart[];

  @Field(() => [String], {
    description: 'A sentence for each part that fills no field; it quotes the words and says why.',
  })
  notUnderstood!: string[];
}

const tooLong = `Please say it in at most ${MAX_WISH} characters`;

@Resolver()
export class WishResolver {
  @Query(() => Wish, {
    description:
      'Reads what a buyer looks for, in words or from the address of a search at Facebook Marketplace or Craigslist. Nothing is stored, fetched or guessed.',
  })
  readWish(
    @Arg('text', () => String, { description: `The wish, up to ${MAX_WISH} characters.` }) text: string,
    @Ctx() { parts }: Context,
  ): Wish {
    if (text.length > MAX_WISH) refuseInvalid({ text: tooLong });
    return formWish(readWish(text, { gazetteer: parts.gazetteer, now: new Date() }));
  }
}
