import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { GraphQLDateTime } from 'graphql-scalars';
import { buildSchemaSync, type PubSub } from 'type-graphql';
import { logRefusals, logSecurity } from './log-operations.ts';
import { guardOperations } from './operation-access.ts';
import { AccountResolver } from './resolvers/account.ts';
import { AdminCountsResolver } from './resolvers/admin-counts.ts';
import { AlertResolver } from './resolvers/alert.ts';
import { ApiKeyResolver } from './resolvers/api-key.ts';
import { AuditResolver } from './resolvers/audit.ts';
import { CarResolver } from './resolvers/car.ts';
import { CatalogueResolver } from './resolvers/catalogue.ts';
import { ComparisonResolver } from './resolvers/comparison.ts';
import { ContactResolver } from './resolvers/contact.ts';
import { ExplanationResolver } from './resolvers/explanation.ts';
import { ListingResolver } from './resolvers/listing.ts';
import { ListingPlaceResolver } from './resolvers/listing-place.ts';
import { MatchResolver } from './resolvers/match.ts';
import { MatchMapResolver } from './resolvers/match-map.ts';
import { NotificationResolver } from './resolvers/notification.ts';
import { PasswordResolver } from './resolvers/password.ts';
import { PlanResolver } from './resolvers/plan.ts';
import { PreviewResolver } from './resolvers/preview.ts';
import { PushResolver } from './resolvers/push.ts';
import { QuarantineResolver } from './resolvers/quarantine.ts';
import { RightsResolver } from './resolvers/rights.ts';
import { SavedListingResolver } from './resolvers/saved-listing.ts';
import { SecondFactorResolver } from './resolvers/second-factor.ts';
import { SellerTextResolver } from './resolvers/seller-text.ts';
import { SessionResolver } from './resolvers/session.ts';
import { SharedResolver } from './resolvers/shared.ts';
import { SharedLinkResolver } from './resolvers/shared-link.ts';
import { SiteResolver } from './resolvers/site.ts';
import { SourceResolver } from './resolvers/source.ts';
import { SourceSettingsResolver } from './resolvers/source-settings.ts';
import { StatusResolver } from './resolvers/status.ts';
import { TextResolver } from './resolvers/text.ts';
import { WebhookResolver } from './resolvers/webhook.ts';
import { WishResolver } from './resolvers/wish.ts';

/** type-graphql requires one, but our subscriptions have iterators of their own. */
const unusedPubSub: PubSub = {
  publish() {},
  subscribe() {
    throw new Error('Subscriptions have their own iterators.');
  },
};

export function makeSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [
      AccountResolver,
      AdminCountsResolver,
      AlertResolver,
      ApiKeyResolver,
      AuditResolver,
      CarResolver,
      CatalogueResolver,
      WishResolver,
      ComparisonResolver,
      SellerTextResolver,
      ContactResolver,
      ExplanationResolver,
      MatchMapResolver,
      ListingResolver,
      ListingPlaceResolver,
      MatchResolver,
      NotificationResolver,
      PasswordResolver,
      PlanResolver,
      PushResolver,
      QuarantineResolver,
      RightsResolver,
      PreviewResolver,
      SavedListingResolver,
      SecondFactorResolver,
      SessionResolver,
      SharedLinkResolver,
      SharedResolver,
      SiteResolver,
      SourceResolver,
      SourceSettingsResolver,
      SourceSettingsResolver,
      StatusResolver,
      TextResolver,
      WebhookResolver,
    ],
    orphanedTypes: [],
    scalarsMap: [{ type: Date, scalar: GraphQLDateTime }],
    // Inputs are validated by our own schemas, because class-validator would repeat passwords in its messages.
    validate: false,
    pubSub: unusedPubSub,
  });
  return logSecurity(guardOperations(logRefusals(schema)));
}
