/** What REST shows of each type, the same wherever the type stands. */
export const user = 'id username email pendingEmail phone emailConfirmed phoneConfirmed timeZone';

export const alert = `id make model yearMin yearMax location place radius priceMin priceMax color onlyWithImages
  emailNotifications textNotifications isActive pausedByPlan createdAt expiresAt daysRemaining matchCount`;

export const alertOutcome = `index alert { ${alert} } error { code message fields needsUpgrade }`;

export const listing = `id carId title price imageUrl images mileage transmission color condition
  location { reverse_geocode { city state } } distance year make model isNew viewed status url createdAt alertIds`;

export const matchLine = `cursor match { matchedAt announced distance alertId listing { ${listing} }
  verdicts { criterion verdict asked found } receipt { listedAt seenAt matchedAt handedOverAt } }`;

export const plan = 'id name description price monthlyPrice alertLimit isPopular features';

export const currentSubscription =
  'planId subscriptionPlanId planName status currentPeriodEnd graceEndsAt alertsToResume';

export const canCreateAlert = 'canCreateAlert needsUpgrade alertsUsed alertLimit alertsToResume';

export const deletionRequest = 'id requestId userId username reason status notes createdAt';
