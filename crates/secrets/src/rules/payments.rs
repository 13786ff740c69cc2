//! Payment, commerce and shipping.

use doorward_core::Severity::{Critical, High, Medium};

use super::{Rule, row};
use crate::checksum::Check;

const STRIPE: &[&str] = &["api.stripe.com", "files.stripe.com"];

pub(super) const ROWS: &[Rule] = &[
    row(
        "stripe-key",
        Critical,
        "Stripe live key",
        "Stripe dashboard, API keys",
        &["sk_live_ N{10,120}"],
        STRIPE,
    ),
    row(
        "stripe-key",
        High,
        "Stripe restricted key",
        "Stripe dashboard, API keys",
        &["rk_(live|prod)_ N{10,120}", "sk_prod_ N{10,120}"],
        STRIPE,
    ),
    row(
        "stripe-test-key",
        Medium,
        "Stripe test key",
        "Stripe dashboard, API keys",
        &["(sk|rk)_test_ N{10,120}"],
        STRIPE,
    ),
    row(
        "stripe-webhook-secret",
        High,
        "Stripe webhook secret",
        "Stripe dashboard, webhooks",
        &["whsec_ B{32,64}"],
        STRIPE,
    ),
    row("pagarme-key", High, "Pagar.me key", "Pagar.me dashboard", &["ak_live_ N{30}"], &["api.pagar.me"]),
    row(
        "flexport-key",
        High,
        "Flexport key",
        "Flexport settings",
        &["shltm_ N{36,46}"],
        &["api.flexport.com"],
    ),
    row(
        "shopify-token",
        High,
        "Shopify token",
        "Shopify partner or admin apps",
        &["shp(at|ca|pa|ss)_ X{32}", "shp(tka|ua)_ X{32}"],
        &["shopify.com", "partners.shopify.com", "accounts.shopify.com"],
    ),
    row(
        "square-token",
        High,
        "Square token",
        "Square developer dashboard",
        &["EAAA W{56,62}", "sq0(atp|idp)- W{22,60}", "sq0csp- W{43}"],
        &["connect.squareup.com", "connect.squareupsandbox.com"],
    )
    .checked(Check::Mixed),
    row(
        "razorpay-key",
        Medium,
        "Razorpay key",
        "Razorpay dashboard",
        &["rzp_(live|test)_ N{14}"],
        &["api.razorpay.com"],
    ),
    row(
        "shippo-token",
        High,
        "Shippo token",
        "Shippo dashboard",
        &["shippo_(live|test)_ X{40}"],
        &["api.goshippo.com"],
    ),
    row(
        "duffel-token",
        High,
        "Duffel token",
        "Duffel dashboard",
        &["duffel_(live|test)_ Z{43}"],
        &["api.duffel.com"],
    ),
    row(
        "easypost-token",
        High,
        "EasyPost key",
        "EasyPost dashboard",
        &["EZ(A|T)K N{54}"],
        &["api.easypost.com"],
    ),
    row(
        "flutterwave-key",
        High,
        "Flutterwave key",
        "Flutterwave dashboard",
        &["FLWSECK(_TEST|_LIVE|)- N{12,40}"],
        &["api.flutterwave.com"],
    ),
    row(
        "plaid-token",
        High,
        "Plaid token",
        "Plaid dashboard",
        &["access-(sandbox|development|production)- UUID"],
        &["production.plaid.com", "sandbox.plaid.com", "development.plaid.com"],
    ),
    row(
        "paystack-key",
        High,
        "Paystack key",
        "Paystack dashboard",
        &["sk_(live|test)_ H{40}"],
        &["api.paystack.co"],
    ),
    row(
        "gocardless-token",
        High,
        "GoCardless token",
        "GoCardless dashboard",
        &["live_ Z{40}"],
        &["api.gocardless.com"],
    )
    .checked(Check::Mixed),
    row(
        "paddle-key",
        High,
        "Paddle key",
        "Paddle dashboard",
        &["pdl_(live|sdbx)_apikey_ l{26} _ N{22} _ N{3}"],
        &["api.paddle.com", "sandbox-api.paddle.com"],
    ),
    row(
        "midtrans-key",
        High,
        "Midtrans server key",
        "Midtrans dashboard",
        &["Mid-server- W{16,40}"],
        &["api.midtrans.com"],
    ),
    row(
        "braintree-token",
        High,
        "Braintree token",
        "Braintree control panel",
        &["access_token$(production|sandbox)$ l{16} $ H{32}"],
        &["payments.braintree-api.com", "api.braintreegateway.com"],
    ),
    row("lob-key", High, "Lob key", "Lob dashboard", &["(live|test)_ H{35}"], &["api.lob.com"]),
];
