/** What a customer may do on the portal. */
export interface PortalConfiguration {
  id: string;
  object: 'billing_portal.configuration';
  created: number;
  livemode: false;
  active: boolean;
  business_profile: {
    headline: string | null;
    privacy_policy_url: string | null;
    terms_of_service_url: string | null;
  };
  default_return_url: string | null;
  features: {
    customer_update: { allowed_updates: string[]; enabled: boolean };
    invoice_history: { enabled: boolean };
    payment_method_update: { enabled: boolean; payment_method_configuration: null };
    subscription_cancel: {
      cancellation_reason: { enabled: boolean; options: string[] };
      enabled: boolean;
      mode: 'at_period_end' | 'immediately';
      proration_behavior: ProrationBehavior;
    };
    subscription_update: {
      default_allowed_updates: string[];
      enabled: boolean;
      products: { product: string; prices: string[] }[] | null;
      proration_behavior: ProrationBehavior;
      schedule_at_period_end: { conditions: { type: string }[] };
    };
  };
  is_default: boolean;
  login_page: { enabled: boolean; url: null };
  metadata: Record<string, string>;
  name: string | null;
  updated: number;
}

export type ProrationBehavior = 'none' | 'create_prorations' | 'always_invoice';

export interface PortalFlow {
  type: 'subscription_update_confirm' | 'subscription_update' | 'subscription_cancel' | 'payment_method_update';
  after_completion: {
    type: 'portal_homepage' | 'redirect' | 'hosted_confirmation';
    redirect: { return_url: string } | null;
    hosted_confirmation: { custom_message: string | null } | null;
  };
  subscription_cancel: { subscription: string; retention: null } | null;
  subscription_update: { subscription: string } | null;
  subscription_update_confirm: {
    subscription: string;
    items: { id: string; price: string; quantity: number }[];
    discounts: null;
  } | null;
}

export interface PortalSession {
  id: string;
  object: 'billing_portal.session';
  created: number;
  livemode: false;
  configuration: string;
  customer: string;
  flow: PortalFlow | null;
  locale: string | null;
  on_behalf_of: null;
  return_url: string | null;
  url: string;
}
