/**
 * The sections of the console of the shop. To add one: its page in a folder of its own, loaded lazily here by
 * `lazySection(() => import("./x/x-page.tsx"), "XPage")`; its label "shop.nav.<name>" and its texts
 * "shop.<name>.…" in src/texts/<language>/web-shop.json, which come with the first section that is opened. Filters, pages and
 * open tabs live in the address (useQuery of ui/console/query.ts); requests go through adminRequest, lists through
 * useCursorPage or usePages, forms through useEditor. A section stays within 25 KB gzipped (test/web/bundle.test.ts).
 */
import type { JSX } from "preact";
import { lazySection } from "../ui/console-page/lazy-section.ts";
import type { Section } from "../ui/console/frame.tsx";
import { TodayPage } from "./today/today-page.tsx";
import { OrdersMark, PaymentsMark, WithdrawalsMark } from "./waiting-marks.tsx";

const OrdersPage = lazySection(() => import("./orders/orders-page.tsx"), "OrdersPage");
const OrderPage = lazySection(() => import("./orders/order-page.tsx"), "OrderPage");
const DraftsPage = lazySection(() => import("./drafts/drafts-page.tsx"), "DraftsPage");
const DraftPage = lazySection(() => import("./drafts/draft-page.tsx"), "DraftPage");
const PaymentsPage = lazySection(() => import("./payments/payments-page.tsx"), "PaymentsPage");
const PaymentPage = lazySection(() => import("./payments/payment-page.tsx"), "PaymentPage");
const WithdrawalsPage = lazySection(() => import("./withdrawals/withdrawals-page.tsx"), "WithdrawalsPage");
const WithdrawalPage = lazySection(() => import("./withdrawals/withdrawal-page.tsx"), "WithdrawalPage");
const CustomersPage = lazySection(() => import("./customers/customers-page.tsx"), "CustomersPage");
const CustomerPage = lazySection(() => import("./customers/customer-page.tsx"), "CustomerPage");
const ChatPage = lazySection(() => import("./chat/chat-page.tsx"), "ChatPage");
const InvoicesPage = lazySection(() => import("./invoices/invoices-page.tsx"), "InvoicesPage");
const StatisticsPage = lazySection(() => import("./statistics/statistics-page.tsx"), "StatisticsPage");
const SystemPage = lazySection(() => import("./system/system-page.tsx"), "SystemPage");
const ApiKeysPage = lazySection(() => import("../ui/rights/api-keys-page.tsx"), "ApiKeysPage");
const AuditPage = lazySection(() => import("./audit/audit-page.tsx"), "AuditPage");

const ProvidersPage = lazySection(() => import("./providers/providers-page.tsx"), "ProvidersPage");
const ProviderPage = lazySection(() => import("./providers/provider-page.tsx"), "ProviderPage");
const ShippingPage = lazySection(() => import("./shipping/shipping-page.tsx"), "ShippingPage");
const MethodPage = lazySection(() => import("./shipping/method-page.tsx"), "MethodPage");
const SitePage = lazySection(() => import("./site/site-page.tsx"), "SitePage");
const MailPage = lazySection(() => import("./mail/mail-page.tsx"), "MailPage");
const MailsPage = lazySection(() => import("./mails/mails-page.tsx"), "MailsPage");
const WebhooksPage = lazySection(() => import("./webhooks/webhooks-page.tsx"), "WebhooksPage");
const ProductsPage = lazySection(() => import("./products/products-page.tsx"), "ProductsPage");
const NewProductPage = lazySection(() => import("./products/new-product-page.tsx"), "NewProductPage");
const ProductPage = lazySection(() => import("./products/product-page.tsx"), "ProductPage");
const ImportPage = lazySection(() => import("./products/transfer/import-page.tsx"), "ImportPage");
const CategoriesPage = lazySection(() => import("./categories/categories-page.tsx"), "CategoriesPage");
const ShownPage = lazySection(() => import("./categories/shown-page.tsx"), "ShownPage");
const StockPage = lazySection(() => import("./stock/stock-page.tsx"), "StockPage");
const LicensesPage = lazySection(() => import("./licenses/licenses-page.tsx"), "LicensesPage");
const GiftCardsPage = lazySection(() => import("./gift-cards/gift-cards-page.tsx"), "GiftCardsPage");
const ReviewsPage = lazySection(() => import("./reviews/reviews-page.tsx"), "ReviewsPage");
const CouponsPage = lazySection(() => import("./coupons/coupons-page.tsx"), "CouponsPage");

function showProducts(id: string | undefined): JSX.Element {
  if (id === undefined) return <ProductsPage />;
  if (id === "new") return <NewProductPage />;
  return id === "import" ? <ImportPage /> : <ProductPage id={id} key={id} />;
}

/** In the order of the navigation. */
export const sections: readonly Section[] = [
  {
    name: "today",
    scope: "orders:read",
    label: "shop.nav.today",
    icon: "calendar",
    page: () => <TodayPage />,
  },
  {
    name: "orders",
    scope: "orders:read",
    label: "shop.nav.orders",
    icon: "receipt",
    Mark: OrdersMark,
    page: (id) => (id === undefined ? <OrdersPage /> : <OrderPage id={id} key={id} />),
  },
  {
    name: "drafts",
    scope: "orders:read",
    label: "shop.nav.drafts",
    icon: "edit",
    page: (id) => (id === undefined ? <DraftsPage /> : <DraftPage id={id} />),
  },
  {
    name: "payments",
    scope: "orders:read",
    label: "shop.nav.payments",
    icon: "coins",
    Mark: PaymentsMark,
    page: (id) => (id === undefined ? <PaymentsPage /> : <PaymentPage id={id} key={id} />),
  },
  {
    name: "withdrawals",
    scope: "orders:read",
    label: "shop.nav.withdrawals",
    icon: "refresh",
    Mark: WithdrawalsMark,
    page: (id) => (id === undefined ? <WithdrawalsPage /> : <WithdrawalPage id={id} key={id} />),
  },
  {
    name: "customers",
    scope: "customers:read",
    label: "shop.nav.customers",
    icon: "people",
    page: (id) => (id === undefined ? <CustomersPage /> : <CustomerPage id={id} key={id} />),
  },
  { name: "products", scope: "products:read", label: "shop.nav.products", icon: "grid", page: showProducts },
  {
    name: "categories",
    scope: "products:read",
    label: "shop.nav.categories",
    icon: "list",
    page: (id) => (id === undefined ? <CategoriesPage /> : <ShownPage id={id} key={id} />),
  },
  {
    name: "stock",
    scope: "products:read",
    label: "shop.nav.stock",
    icon: "table",
    page: () => <StockPage />,
  },
  {
    name: "licenses",
    scope: "orders:read",
    label: "shop.nav.licenses",
    icon: "key",
    page: (id) => <LicensesPage id={id} />,
  },
  {
    name: "coupons",
    scope: "products:read",
    label: "shop.nav.coupons",
    icon: "ticket",
    page: (id) => <CouponsPage id={id} />,
  },
  {
    name: "gift-cards",
    scope: "orders:read",
    label: "shop.nav.giftCards",
    icon: "card",
    page: (id) => <GiftCardsPage id={id} />,
  },
  {
    name: "reviews",
    scope: "products:read",
    label: "shop.nav.reviews",
    icon: "chat",
    page: (id) => <ReviewsPage id={id} />,
  },
  {
    name: "chat",
    scope: "chat:read",
    label: "shop.nav.chat",
    icon: "chat",
    page: (id) => <ChatPage id={id} />,
  },
  {
    name: "invoices",
    scope: "invoices:read",
    label: "shop.nav.invoices",
    icon: "document",
    page: () => <InvoicesPage />,
  },
  {
    name: "statistics",
    scope: "orders:read",
    label: "shop.nav.statistics",
    icon: "bars",
    page: () => <StatisticsPage />,
  },
  {
    name: "providers",
    scope: "shop-settings:read",
    label: "shop.nav.providers",
    icon: "card",
    page: (id) => (id === undefined ? <ProvidersPage /> : <ProviderPage id={id} key={id} />),
  },
  {
    name: "shipping",
    scope: "shop-settings:read",
    label: "shop.nav.shipping",
    icon: "parcel",
    page: (id) => (id === undefined ? <ShippingPage /> : <MethodPage id={id} key={id} />),
  },
  {
    name: "site",
    scope: "shop-settings:read",
    label: "shop.nav.site",
    icon: "gear",
    page: () => <SitePage />,
  },
  {
    name: "mail",
    scope: "shop-settings:read",
    label: "shop.nav.mail",
    icon: "mail",
    page: () => <MailPage />,
  },
  {
    name: "mails",
    scope: "shop-settings:read",
    label: "shop.nav.mails",
    icon: "edit",
    page: () => <MailsPage />,
  },
  {
    name: "webhooks",
    scope: "shop-settings:read",
    label: "shop.nav.webhooks",
    icon: "link",
    page: (id) => <WebhooksPage id={id} />,
  },
  {
    name: "system",
    scope: "shop-settings:read",
    label: "shop.nav.system",
    icon: "server",
    page: () => <SystemPage />,
  },
  {
    name: "api-keys",
    scope: "administrator",
    label: "admin.nav.apiKeys",
    icon: "plug",
    page: () => <ApiKeysPage />,
  },
  {
    name: "audit",
    scope: "shop-settings:read",
    label: "shop.nav.audit",
    icon: "history",
    page: () => <AuditPage />,
  },
];
